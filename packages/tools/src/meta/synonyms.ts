/** Owns which everyday words stand for the words that tools are named with. Each of them counts less than the word itself. */
import { searchWordsOf } from './words.ts'

const meant: Readonly<Record<string, string>> = {
  delete:
    'remove erase scrap wipe ditch discard trash bin throw drop cancel clear dump scratch forget destroy',
  add: 'put create insert record log enter register append new make set',
  create: 'make build start new set invent',
  update:
    'change edit modify correct fix adjust bump amend alter revise rename move shift push postpone different',
  list: 'show display see view which what browse give got any',
  complete: 'finish done tick cross close completed mark posted sorted',
  find: 'search look seek locate hunt where lookup',
  search: 'find look seek hunt lookup',
  save: 'keep store stash preserve remember hold',
  read: 'show open view see say display tell',
  calculate: 'compute reckon multiply divide subtract times plus minus',
  generate: 'make create produce invent give',
  extract: 'pull grab take list find collect',
  validate: 'check verify valid correct right proper real legitimate',
  convert: 'change turn translate',
  run: 'execute start launch try',
  execute: 'run start launch try',
  fetch: 'get read open load check',
  pick: 'choose select decide first',
  random: 'arbitrary any chance luck',
  task: 'todo chore errand job reminder duty',
  event: 'appointment meeting class lesson party interview dinner lunch call visit',
  calendar: 'diary schedule agenda planner',
  contact: 'person people friend colleague client customer address phone number mobile',
  note: 'memo jot thought idea',
  bookmark: 'link favourite url tab site website page',
  folder: 'directory',
  picture: 'photo image',
  batch: 'several many multiple all each every these separate whole',
}

const synonyms: ReadonlyMap<string, readonly string[]> = turned()

/** The words of tools that a stem may stand for. */
export function synonymsOf(stem: string): readonly string[] {
  return synonyms.get(stem) ?? []
}

function turned(): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const [word, others] of Object.entries(meant)) {
    for (const { stem: other } of searchWordsOf(others)) {
      found.set(other, [...(found.get(other) ?? []), ...searchWordsOf(word).map(({ stem }) => stem)])
    }
  }
  return found
}
