// Before the first paint, so that the page never shows the other theme for a moment.
try {
  const kept = JSON.parse(localStorage.getItem('countersign.preferences') ?? '{}')
  if (kept.theme === 'light' || kept.theme === 'dark') document.documentElement.dataset.theme = kept.theme
} catch (error) {
  console.warn('The theme that was chosen here cannot be read.', error)
}
