import fc from 'fast-check';

/** As VS Code reads the texts of notifications, input boxes and quick picks (linkedText.ts, iconLabels.ts). */
const LINK = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;
const ICON = /\$\([A-Za-z0-9-]+(?:~[A-Za-z]+)?\)/;
/** A line break is allowed: lines of a detail or a tooltip are ours. */
const CONTROL =
  /(?!\n)\p{Cc}|[\p{Zl}\p{Zp}\p{Surrogate}\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2061-\u206f\ufeff\u{e0000}-\u{e007f}]/u;

/** Whether VS Code would show a text literally: no link, no icon, no reordered characters. */
export function isPlain(text: string): boolean {
  return !LINK.test(text) && !ICON.test(text) && !CONTROL.test(text);
}

/** Texts made of the parts of links, icons and spoofed names. */
export const hostileText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...[
          '[',
          ']',
          '(',
          ')',
          '](',
          '$(',
          '$',
          'command:',
          'https://a.test/',
          'file:///etc',
          ' "title")',
          '~',
        ],
        ...[
          'trash',
          '\n',
          '\r\n',
          '\t',
          '\u202e',
          '\u2067',
          '\u0000',
          '\u009b',
          '\u2028',
          '\u200e',
          '\u200f',
          '\u061c',
          '\u00ad',
          '\u200b',
          '\ufeff',
          '\u{e0041}',
          '\ud800',
          '\\',
          '`',
        ],
        ...['[x](command:workbench.action.quit)', '$(sync~spin)', '\u2060', '**', '_', '&#91;', '<a href=x>'],
        ...[
          'www.a.test',
          'a@b.test',
          '```',
          '\n===\n',
          '| a |\n|--|',
          '- ',
          '1. ',
          '![x](https://a.test/p.png)',
        ],
      ),
      fc.string(),
    ),
    { minLength: 1, maxLength: 30 },
  )
  .map((parts) => parts.join(''));
