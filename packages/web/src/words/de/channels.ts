import type { Translation } from '../../language/current.ts'
import { plural } from '../../language/plural.ts'
import type { words } from '../channels.ts'

export const channels: Translation<typeof words> = {
  title: 'Kanäle',
  none: 'Kein Chatdienst ist verbunden. Du erreichst deine Agenten in dieser App und im Terminal.',
  pairPhone: 'Stattdessen ein Telefon koppeln',
  connected: 'Verbunden',
  open: 'Offen',
  clients: (count) => plural(count, { one: '# Seite oder Terminal', other: '# Seiten und Terminals' }),
  notified: 'Benachrichtigt',
  browsers: (count) => plural(count, { other: '# Browser' }),
  where: 'Wo entschieden wird',
  caption: 'Was jedes Gerät entscheiden darf',
  device: 'Gerät',
  access: 'Zugriff',
}
