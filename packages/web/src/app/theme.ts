/** Owns which theme the page wears. The same choice is made before the first paint by public/theme.js. */
import type { Preferences } from '../environment/preferences.ts'

export function applyTheme(root: HTMLElement, theme: Preferences['theme']): void {
  if (theme === 'system') delete root.dataset.theme
  else root.dataset.theme = theme
}
