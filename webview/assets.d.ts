declare module '*.css';

/** Of the Trusted Types API, which the compiler's DOM lacks. What a policy makes is taken where HTML is. */
declare const trustedTypes: {
  createPolicy(
    name: string,
    rules: { createHTML(text: string): string },
  ): { createHTML(text: string): string };
};
