/**
 * Returns what is called after each rendering: once, when the form is there and the page has the focus, the caret
 * goes into the first empty text field, so that a model that was just opened can be typed into at once.
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
  // Whoever has pressed a key or a button already is somewhere.
  for (const event of ['pointerdown', 'keydown'] as const)
    window.addEventListener(event, () => (done = true), { once: true, capture: true });
  return begin;
}
