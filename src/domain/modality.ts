import type { ModelSummary } from './model';

/** The medium that a model works on. */
export type Modality = 'video' | 'audio' | 'image' | 'text';

/** Words that name the medium of a model, the more special ones first. */
const MODALITIES: readonly (readonly [Modality, RegExp])[] = [
  ['video', /\b(videos?|clips?|movies?)\b/i],
  ['audio', /\b(audio|speech|voice|sounds?|music|asr|tts)\b/i],
  ['image', /\b(images?|photos?|pictures?|vision|visual|diffusion|ocr)\b/i],
  ['text', /\b(texts?|languages?|chat|llm|words?|sentiment|translat\w*|summar\w*)\b/i],
];

/** The medium of a model, by its group and tags, else its name, else its description; undefined: none is named. */
export function modelModality({
  group = '',
  tags,
  name,
  description = '',
}: ModelSummary): Modality | undefined {
  for (const text of [[group, ...tags].join(' '), name, description]) {
    const modality = MODALITIES.find(([, words]) => words.test(text));
    if (modality) return modality[0];
  }
  return undefined;
}
