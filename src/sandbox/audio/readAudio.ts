import { readFlac, readMp3, readOgg } from './compressed';
import { type AudioFacts, UnreadableAudio } from './facts';
import { readWav } from './wav';

/**
 * Reads the facts of a WAV, FLAC, Ogg or MP3 file; the first bytes determine the format.
 *
 * @throws {UnreadableAudio} another kind, or damaged
 */
export function readAudio(bytes: Buffer): AudioFacts {
  const start = bytes.toString('latin1', 0, 12);
  try {
    if (start.startsWith('RIFF') && start.endsWith('WAVE')) return readWav(bytes);
    if (start.startsWith('fLaC')) return readFlac(bytes);
    if (start.startsWith('OggS')) return readOgg(bytes);
    const isFrame = bytes.length > 3 && bytes[0] === 0xff && (bytes[1]! & 0xe0) === 0xe0;
    if (start.startsWith('ID3') || isFrame) return readMp3(bytes);
  } catch (error) {
    if (error instanceof RangeError) throw new UnreadableAudio('its header is truncated');
    throw error;
  }
  throw new UnreadableAudio('it is not a WAV, FLAC, Ogg or MP3 file');
}
