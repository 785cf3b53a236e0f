import type { Translation } from '../../language/current.ts'
import { plural } from '../../language/plural.ts'
import type { words } from '../witness.tsx'

export const witness: Translation<typeof words> = {
  banner: {
    title: 'Das Ledger ist nicht das, das früher gesehen wurde.',
    here: (reason) => <>Dieser Browser hat bemerkt: {reason}.</>,
    stopped: 'Es läuft jetzt nichts außer dem, was nur schaut.',
    careful: 'Gib nichts frei, bevor du weißt, warum.',
    open: 'Zustand öffnen',
  },
  title: 'Zeugen des Ledgers',
  about:
    'Jedes Gerät merkt sich das Ledger, das es gesehen hat, und bemerkt, wenn es gekürzt oder umgeschrieben wird.',
  none: 'Noch kein Gerät hat das Ledger bezeugt, ein abgeschnittenes Ende fiele also nicht auf.',
  columns: { saw: 'sah', behind: 'zurück' },
  kinds: { device: 'Gerät', node: 'Rechner', log: 'anderswo' },
  entries: (count) => plural(count, { one: '# Eintrag', other: '# Einträge' }),
  upToDate: 'aktuell',
  alarm: (by, size) => (
    <>
      {by} sah {plural(size, { one: '# Eintrag, den', other: '# Einträge, die' })} dieses Ledger nicht hat.
    </>
  ),
  means:
    'Entweder wurde die Datenbank aus einer Sicherung wiederhergestellt, oder jemand mit dem Schlüssel des Gateways hat eine andere Geschichte geschrieben.',
  accept: 'Das Ledger annehmen, wie es ist',
  accepting: {
    title: 'Das Ledger annehmen, wie es jetzt ist?',
    about:
      'Aufrufe laufen wieder, und dieser Browser glaubt dem Ledger, wie es jetzt ist. Was nur in der anderen Geschichte stand, bleibt verloren. Tu das nur, wenn du weißt, warum es abweicht.',
    yes: 'Annehmen und fortfahren',
    no: 'Angehalten lassen',
  },
  accepted: 'Angenommen. Aufrufe laufen wieder.',
}
