/** What charts say. */
import { inLanguage } from '../language/current.ts'

export const words = inLanguage('charts', {
  showTable: 'Show as table',
  showChart: 'Show as chart',
  keys: (title: string) => `${title}. Use the left and right arrow keys.`,
  forecast: 'Forecast',
  expected: (moment: string) => `${moment} (forecast)`,
  total: 'Total',
  moment: (name: string, total: string, parts: string) =>
    parts === '' ? `${name}: ${total}` : `${name}: ${total} (${parts})`,
  momentOne: (name: string, value: string) => `${name}: ${value}`,
})
