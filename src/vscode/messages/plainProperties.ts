import { plainLine } from '../../wording/plainText';

/** The conversion of a text property before VS Code sees it. */
export type PlainProperties<T> = { readonly [Key in keyof T]?: (value: T[Key]) => T[Key] };

/** A text that need not be there, as a plain one. */
export function plain(text: string | undefined): string | undefined {
  return text === undefined ? undefined : plainLine(text);
}

/** An object of VS Code's with texts that are made plain when they are set; the rest is unchanged. */
export function withPlainProperties<T extends object>(real: T, plain: PlainProperties<T>): T {
  // Not over the object itself: VS Code may freeze it, and a proxy has to keep to a frozen object.
  return new Proxy({} as T, {
    get(_target, key) {
      const value: unknown = Reflect.get(real, key, real);
      return typeof value === 'function' ? value.bind(real) : value;
    },
    set(_target, key, value) {
      const make = plain[key as keyof T];
      return Reflect.set(real, key, make && value !== undefined ? make(value as T[keyof T]) : value, real);
    },
    has: (_target, key) => Reflect.has(real, key),
  });
}

/** A copy of options with plain texts, where they are given. */
export function plainOptions<T extends object>(options: T, plain: PlainProperties<T>): T {
  const copy = { ...options };
  for (const key of Object.keys(plain) as (keyof T)[]) {
    const make = plain[key];
    if (make && copy[key] !== undefined) copy[key] = make(copy[key]);
  }
  return copy;
}
