import { createInputBox } from './messages/inputs';

/**
 * Filters a view as one types; Escape brings the former filter back.
 * @param apply called at every key
 */
export function askFilter(
  { title, placeholder, before }: { title: string; placeholder: string; before: string },
  apply: (filter: string) => void,
): void {
  const box = createInputBox();
  box.title = title;
  box.placeholder = placeholder;
  box.value = before;
  let accepted = false;
  box.onDidChangeValue(apply);
  box.onDidAccept(() => {
    accepted = true;
    box.hide();
  });
  box.onDidHide(() => {
    if (!accepted) apply(before);
    box.dispose();
  });
  box.show();
}
