import assert from 'node:assert/strict';
import { checkClaimedSize } from '../../../src/sandbox/imaging/claimedSize';

/** The head of a PNG with 8 bits in each of four channels. */
function header(width: number, height: number, interlaced: boolean): Buffer {
  const bytes = Buffer.alloc(33);
  bytes.write('\x89PNG\r\n\x1a\n', 'latin1');
  bytes.writeUInt32BE(13, 8);
  bytes.write('IHDR', 12, 'latin1');
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  bytes.writeUInt8(8, 24);
  bytes.writeUInt8(6, 25);
  bytes.writeUInt8(interlaced ? 1 : 0, 28);
  return bytes;
}

describe('An interlaced PNG', () => {
  it('must have fewer pixels than another one, since decoding it takes three times the memory', async () => {
    await assert.rejects(
      checkClaimedSize(header(7_000, 7_000, true), 'png'),
      /interlaced PNG is 16 megapixels/,
    );
    await checkClaimedSize(header(7_000, 7_000, false), 'png');
    await checkClaimedSize(header(4_000, 4_000, true), 'png');
  });
});
