// Turns the pictures that SCREENSHOTS=<folder> of test/e2e/page*.spec.ts and of pages/operator-page.spec.ts has taken into those of docs/pages:
// node .tools/make-pictures.mjs <folder>. The browser encodes them; frames of the tour are put together here.
import { Buffer } from 'node:buffer';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const OUT = 'docs/pages';
const TOUR = ['home', 'export', 'issues-selected', 'entry', 'mapping-account', 'setup-proposal', 'month-end'];
/** Of these a folder has all that begin so. */
const ROOMS = {
  exports: 'exports-',
  mapping: 'mapping-',
  'reference-data': 'reference-data',
  people: 'people-',
  sample: 'long-sample',
  operator: 'operator-',
};
const TOUR_WIDTH = 960;
const FRAME_MS = 2_500;
const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error('Say in which folder the pictures are.');
  process.exit(1);
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
const page = await browser.newPage();
const names = readdirSync(folder).filter((name) => name.endsWith('.png'));
for (const name of names.map((file) => file.slice(0, -'.png'.length))) {
  const [kind, own] = name.endsWith('-390')
    ? ['phone', name.slice(0, -'-390'.length)]
    : name.endsWith('-dark')
      ? ['dark', name.slice(0, -'-dark'.length)]
      : ['wide', name];
  const [room = ''] = Object.entries(ROOMS).find(([, start]) => own.startsWith(start)) ?? [];
  mkdirSync(join(OUT, kind, room), { recursive: true });
  writeFileSync(join(OUT, kind, room, `${own}.webp`), await encoded(name));
}
const frames = [];
for (const name of TOUR.filter((one) => names.includes(`${one}.png`))) {
  frames.push(await encoded(name, TOUR_WIDTH));
}
// Pictures of some pages alone leave the tour as it is.
if (frames.length > 0) {
  writeFileSync(join(OUT, 'tour.webp'), animated(frames));
}
await browser.close();

/** A picture as WebP, at most so wide. */
async function encoded(name, width) {
  const png = readFileSync(join(folder, `${name}.png`)).toString('base64');
  const webp = await page.evaluate(
    async ([data, wanted]) => {
      const { document, Image } = globalThis;
      const image = new Image();
      image.src = `data:image/png;base64,${data}`;
      await image.decode();
      const canvas = document.createElement('canvas');
      canvas.width = wanted ?? image.width;
      canvas.height = Math.round((image.height * canvas.width) / image.width);
      canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
      return canvas.toDataURL('image/webp', 0.8).split(',')[1];
    },
    [png, width],
  );
  return Buffer.from(webp, 'base64');
}

/** https://developers.google.com/speed/webp/docs/riff_container: pictures of one size, one after the other, for ever. */
function animated(pictures) {
  const parts = pictures.map(chunksOf);
  const [{ width, height }] = parts;
  const size = [...u24(width - 1), ...u24(height - 1)];
  const frame = ({ data }) =>
    chunk('ANMF', Buffer.concat([Buffer.from([0, 0, 0, 0, 0, 0, ...size, ...u24(FRAME_MS), 2]), data]));
  const body = Buffer.concat([
    Buffer.from('WEBP'),
    chunk('VP8X', Buffer.from([2, 0, 0, 0, ...size])),
    chunk('ANIM', Buffer.alloc(6)),
    ...parts.map(frame),
  ]);
  return chunk('RIFF', body);
}

/** Of a still picture: its data without the header of an extended file, and its size. */
function chunksOf(picture) {
  const data = [];
  let [width, height] = [0, 0];
  for (let at = 12; at < picture.length;) {
    const [name, length] = [picture.toString('latin1', at, at + 4), picture.readUInt32LE(at + 4)];
    const end = at + 8 + length + (length % 2);
    if (name === 'VP8 ') {
      width = picture.readUInt16LE(at + 14) & 0x3fff;
      height = picture.readUInt16LE(at + 16) & 0x3fff;
    }
    if (name === 'VP8 ' || name === 'ALPH') {
      data.push(picture.subarray(at, end));
    }
    at = end;
  }
  return { data: Buffer.concat(data), width, height };
}

function chunk(name, data) {
  const head = Buffer.alloc(8);
  head.write(name, 'latin1');
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
}

function u24(number) {
  return [number & 255, (number >> 8) & 255, number >> 16];
}
