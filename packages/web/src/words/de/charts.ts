import type { Translation } from '../../language/current.ts'
import type { words } from '../charts.ts'

export const charts: Translation<typeof words> = {
  showTable: 'Als Tabelle zeigen',
  showChart: 'Als Diagramm zeigen',
  keys: (title) => `${title}. Mit den Pfeiltasten links und rechts bewegen.`,
  forecast: 'Prognose',
  expected: (moment) => `${moment} (Prognose)`,
  total: 'Summe',
  moment: (name, total, parts) => (parts === '' ? `${name}: ${total}` : `${name}: ${total} (${parts})`),
  momentOne: (name, value) => `${name}: ${value}`,
}
