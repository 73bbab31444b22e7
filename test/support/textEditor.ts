import type { VSCode } from './vscode';

/** Puts the cursor of the active editor at a line and column, “3:25”, and waits until keys go there. */
export async function goTo(vscode: VSCode, place: string): Promise<void> {
  const { page } = vscode;
  await page.keyboard.press('Control+g');
  await vscode.expectQuickInput();
  await vscode.quickInputBox.fill(`:${place}`);
  await vscode.quickInputBox.press('Enter');
  await vscode.quickInput.waitFor({ state: 'hidden' });
  await page.locator('.editor-group-container.active .monaco-editor.focused').first().waitFor();
}
