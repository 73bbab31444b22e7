declare module '*.css';

/** Of the Trusted Types API, which the compiler's DOM lacks. HTML sinks accept the values that a policy makes. */
declare const trustedTypes: {
  createPolicy(
    name: string,
    rules: { createHTML(text: string): string },
  ): { createHTML(text: string): string };
};
