/** An invitation brings a time zone that changes every second since 1900. It is in the calendar beside the operator's events. */
import { Buffer } from 'node:buffer'
import { FetchedEntries } from '@countersign/tools'
import { openMailBench } from '../../mail/bench.ts'
import type { Attack } from '../attack.ts'

const zone =
  'BEGIN:VTIMEZONE\nTZID:Z\nBEGIN:STANDARD\nDTSTART:19000101T000000\nTZOFFSETFROM:+0100\nTZOFFSETTO:+0200\nRRULE:FREQ=SECONDLY\nEND:STANDARD\nEND:VTIMEZONE\n'
const entry = (before: string, start: string, title: string) =>
  `BEGIN:VCALENDAR\nVERSION:2.0\n${before}BEGIN:VEVENT\nUID:${title}\nDTSTAMP:20260101T000000Z\nDTSTART${start}\nSUMMARY:${title}\nEND:VEVENT\nEND:VCALENDAR\n`

export const attack: Attack = {
  name: 'zone-without-end',
  promise: 'An entry that never ends to be worked out keeps no other entry of the calendar from being read.',
  mutant: 'entries-take-their-time',
  async run(stage) {
    const bench = await openMailBench()
    stage.afterwards(() => bench.close())
    const titles = async (...entries: readonly string[]) => {
      const list = entries.map(
        (data, index) =>
          `<response><href>/${index}</href><propstat><prop><getetag>1</getetag><C:calendar-data>${data}</C:calendar-data></prop><status>HTTP/1.1 200 OK</status></propstat></response>`,
      )
      const xml = `<multistatus xmlns="DAV:" xmlns:C="c">${list.join('')}</multistatus>`
      const window = { from: '2026-03-01', to: '2026-04-30' }
      const job = { program: 'calendar', op: 'entries', window } as const
      const read = await bench.documents.run(
        { job, form: FetchedEntries },
        Buffer.from(xml),
        new AbortController().signal,
      )
      return read.kind === 'failed' ? read.reason : JSON.stringify(read.facts.resources)
    }
    const own = entry('', ':20260310T090000Z', 'Dentist')
    const alone = await titles(own)
    const beside = await titles(entry(zone, ';TZID=Z:20260310T090000', 'Party'), own)
    return {
      open: !beside.includes('Dentist'),
      control: alone.includes('Dentist'),
      saw: `beside it the operator's event is ${beside.includes('Dentist') ? 'read' : `not read: ${beside}`}`,
    }
  },
}
