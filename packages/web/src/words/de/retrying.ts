import type { Translation } from '../../language/current.ts'
import type { words } from '../retrying.ts'

export const retrying: Translation<typeof words> = {
  label: 'Das Modell ist gescheitert',
  failed: (model) => `${model} ist gescheitert.`,
  next: (left) => `Nächster Versuch in ${left}`,
  count: (attempt, of) => `Versuch ${attempt} von ${of}`,
  now: 'Es wird jetzt wieder versucht …',
  with: (model) => `Jetzt wird ${model} versucht …`,
  tryNow: 'Jetzt versuchen',
  another: 'Anderes Modell nehmen',
  noOther: 'Kein anderes Modell ist eingerichtet',
  stillRuns: 'Der Lauf hat nicht angehalten, deshalb wurde nichts an ein anderes Modell gesendet.',
  stop: 'Stoppen',
  pause: 'Anhalten',
  resume: 'Fortsetzen',
  tryAgain: 'Noch einmal versuchen',
  addProvider: 'Anbieter hinzufügen',
  waits: 'Wartet auf den nächsten Versuch',
  step: (cause) => `Modell gescheitert: ${cause}`,
  asked: (code) => `Nach ${code} gefragt`,
  empty: 'Das Modell hat eine leere Antwort geschickt.',
}
