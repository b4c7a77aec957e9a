/** Light or dark: as the machine has it, until somebody chooses. */

export type Theme = 'auto' | 'light' | 'dark';
const key = 'daybook-theme';

export const themes: readonly Theme[] = ['auto', 'light', 'dark'];

export const chosenTheme = (): Theme => themes.find((theme) => theme === localStorage.getItem(key)) ?? 'auto';

export function chooseTheme(theme: Theme): void {
  localStorage.setItem(key, theme);
  showTheme();
}

export function showTheme(): void {
  const theme = chosenTheme();
  if (theme === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}
