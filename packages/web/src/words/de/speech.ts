import type { Translation } from '../../language/current.ts'
import type { words } from '../speech.ts'

export const speech: Translation<typeof words> = {
  hold: 'Zum Sprechen halten',
  stop: 'Beenden und aufschreiben',
  discard: 'Verwerfen',
  listening: (time) => `Hört zu, ${time}. Loslassen oder noch einmal drücken schreibt es auf.`,
  starting: 'Wartet auf das Mikrofon …',
  writing: 'Schreibt auf, was du gesagt hast …',
  written: 'Aufgeschrieben. Lies es, bevor du es sendest.',
  nothing: 'Es war nichts zu hören. Halte die Taste, während du sprichst.',
  discarded: 'Verworfen. Nichts wurde behalten.',
  notAllowed:
    'Dieser Browser lässt die Seite das Mikrofon nicht benutzen. Erlaube es neben der Adresse und versuche es noch einmal.',
  noMicrophone: 'Kein Mikrofon gefunden.',
  off: 'Schalte zum Sprechen die Werkzeuge für Ton ein.',
  noModel: 'Kein Modell ist gewählt, das Gesprochenes aufschreibt.',
  failed: (reason) => `Es wurde nicht aufgeschrieben: ${reason}`,
  toTools: 'Werkzeuge öffnen',
  toModels: 'Modelle öffnen',
  readAloud: 'Vorlesen',
  stopReading: 'Vorlesen beenden',
  preparing: 'Bereitet das Vorlesen vor …',
  noVoice:
    'Dieser Browser hat keine eigene Stimme. Damit ein Modell Antworten vorliest, schalte die Werkzeuge für Ton ein und wähle ein Modell für Sprache.',
  nothingToRead: 'In dieser Antwort stehen keine Wörter zum Vorlesen.',
  notRead: (reason) => `Es wurde nicht vorgelesen: ${reason}`,
  waits: 'Deine Richtlinie fragt zuerst danach. Genehmige es und versuche es noch einmal.',
  changed: 'Die Datei hat sich inzwischen geändert.',
}
