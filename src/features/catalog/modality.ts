import type { ModelSummary } from '../../domain/model';

/** Words that name the medium of a model, the more special ones first. */
const MODALITIES = [
  { icon: 'device-camera-video', words: /\b(videos?|clips?|movies?)\b/i },
  { icon: 'unmute', words: /\b(audio|speech|voice|sounds?|music|asr|tts)\b/i },
  { icon: 'file-media', words: /\b(images?|photos?|pictures?|vision|visual|diffusion|ocr)\b/i },
  {
    icon: 'symbol-string',
    words: /\b(texts?|languages?|chat|llm|words?|sentiment|translat\w*|summar\w*)\b/i,
  },
] as const;

/** A codicon for the medium of a model, by its group and tags, else its name, else its description. */
export function modalityIcon({ group = '', tags, name, description = '' }: ModelSummary): string {
  const told = [[group, ...tags].join(' '), name, description];
  for (const text of told) {
    const found = MODALITIES.find(({ words }) => words.test(text));
    if (found) return found.icon;
  }
  return 'symbol-method';
}
