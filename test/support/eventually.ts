/** How long a state may take to come, on a machine that builds something else meanwhile. */
export const WAIT_MS = 90_000;

/** Between two looks. */
const LOOK_MS = 20;

/**
 * Polls until `check` neither throws nor gives false.
 * @throws its last error, or an Error with its text, when it is not so after `WAIT_MS`
 */
export async function eventually(check: () => unknown): Promise<void> {
  for (const end = Date.now() + WAIT_MS; ; ) {
    let problem: unknown;
    try {
      if ((await check()) !== false) return;
      problem = new Error(`This did not come to pass: ${check}`);
    } catch (error) {
      problem = error;
    }
    if (Date.now() > end) throw problem;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}
