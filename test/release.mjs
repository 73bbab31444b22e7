// npm run release -- --dry-run [--tag v1.2.3]  packages, verifies the package, and compares the versions; publishes nothing
import { register } from 'tsx/esm/api';

register();
const { main } = await import('./release/main.ts');
process.exit(
  await main(process.argv.slice(2)).catch((error) => {
    console.error(error);
    return 1;
  }),
);
