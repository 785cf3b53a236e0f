/** What the Channels screen says. */
import { inLanguage } from '../language/current.ts'
import { plural } from '../language/plural.ts'

export const words = inLanguage('channels', {
  title: 'Channels',
  none: 'No chat service is connected. You reach your agents from this app and from the terminal.',
  pairPhone: 'Pair a phone instead',
  connected: 'Connected',
  open: 'Open',
  clients: (count: number) => plural(count, { one: '# page or terminal', other: '# pages and terminals' }),
  notified: 'Notified',
  browsers: (count: number) => plural(count, { one: '# browser', other: '# browsers' }),
  where: 'Where decisions are made',
  caption: 'What each device may decide',
  device: 'Device',
  access: 'Access',
})
