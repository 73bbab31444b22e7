// Bundles the host tests and runs nothing: for the debugger, which starts VS Code itself.
import { register } from 'tsx/esm/api';

register();
const { bundleHostTests } = await import('./run/hostBundles.ts');
await bundleHostTests([]);
