/** The tools, in the order in which clients list them. Loaded with the window, unlike their arguments and texts. */
export const toolNames = [
  'find_models',
  'describe_model',
  'estimate_cost',
  'list_scopes',
  'read_results',
  'run_model',
  'search_scope',
  'index_files',
  'run_experiment',
  'stop_work',
] as const;
export type ToolName = (typeof toolNames)[number];

/** The name in VS Code, where the tools of all extensions are in one list. */
export function contributedName(tool: ToolName): string {
  return `modelbench_${tool}`;
}
