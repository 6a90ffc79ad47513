// screenshots.mjs -- pictures of the page to look at, in both themes and two sizes.
//
//     node test/screenshots.mjs FOLDER [PAGE.html]       without a page: of the fixtures

import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { launch, openPage, writePage } from './browser.mjs';
import { makeFixture } from './fixture.mjs';
import { makeMechanismFixture } from './mechanism.mjs';
import { makeRigidFixture } from './rigid.mjs';
import { makeShapesFixture } from './shapes.mjs';

const [folder, given] = process.argv.slice(2);
await mkdir(folder, { recursive: true });
const files = given ? { page: given } : {
  contact: await writePage(path.join(folder, 'contact.html'), makeFixture().bytes),
  mechanism: await writePage(path.join(folder, 'mechanism.html'), makeMechanismFixture().bytes),
  rigid: await writePage(path.join(folder, 'rigid.html'), makeRigidFixture().bytes),
  shapes: await writePage(path.join(folder, 'shapes.html'), makeShapesFixture().bytes),
};
const browser = await launch();
for (const colorScheme of ['light', 'dark']) {
  for (const [name, file, [width, height]] of Object.entries(files).flatMap(([n, f]) => [[n, f, [1400, 900]], [n, f, [900, 600]]])) {
    const { page, context, seen } = await openPage(browser, file, { hash: '#t=1.24', colorScheme, viewport: { width, height } });
    await page.waitForTimeout(500);
    await page.screenshot({ path: path.join(folder, `${name}-${colorScheme}-${width}.png`) });
    if (seen.console.length > 0) console.log(colorScheme, width, seen.console);
    await context.close();
  }
}
await browser.close();
