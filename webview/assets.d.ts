declare module '*.css';

/** The bundled script of a worker. */
declare module '*?text' {
  const text: string;
  export default text;
}

/** Of the Trusted Types API, which the compiler's DOM lacks. HTML sinks accept the values that a policy makes. */
declare const trustedTypes: {
  createPolicy(
    name: string,
    rules: { createHTML(text: string): string; createScriptURL(address: string): string },
  ): { createHTML(text: string): string; createScriptURL(address: string): string };
};
