// npm run demo                performs the main job in a real VS Code, and prints the texts on screen
// npm run demo -- --open      leaves that window's server running and prints its address
// npm run demo -- --pictures  also makes the pictures of README.md
import './support/runtime/nodeWithSqlite.mjs';
import { register } from 'tsx/esm/api';

register();
const { main } = await import('./demo/main.ts');
process.exit(
  await main(process.argv.slice(2)).catch((error) => {
    console.error(error);
    return 1;
  }),
);
