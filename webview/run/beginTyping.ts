/**
 * Returns a function to call after each rendering. Once the form is there and the page has the focus, it moves the
 * caret into the first empty text field, so that one can type into a model that was just opened.
 */
export function beginTyping(): () => void {
  let done = false;
  const begin = () => {
    if (done || !document.hasFocus() || document.activeElement !== document.body) return;
    const fields = document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
      '.form textarea, .form input[type="text"], .form input:not([type])',
    );
    if (fields.length === 0) return;
    done = true;
    [...fields].find((field) => field.value === '' && !field.disabled && !field.readOnly)?.focus();
  };
  window.addEventListener('focus', begin);
  // A user who has pressed a key or a button already keeps the focus.
  for (const event of ['pointerdown', 'keydown'] as const)
    window.addEventListener(event, () => (done = true), { once: true, capture: true });
  return begin;
}
