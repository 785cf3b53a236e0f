/**
 * Owns how the demo model tidies a folder: it looks, makes folders by kind, moves files into them, and then offers to do
 * so every week, which is the part that asks. Refuses to go on once nothing of a step was done.
 */
import {
  beginning,
  type DemoCall,
  type DemoReply,
  type Exchange,
  propose,
  refusalsIn,
  say,
} from './exchange.ts'

const kindsOfFile: readonly (readonly [folder: string, endings: RegExp])[] = [
  ['Pictures', /\.(?:jpe?g|png|gif|webp|svg|heic)$/i],
  ['Documents', /\.(?:pdf|docx?|odt|txt|md|pages|xlsx?|csv)$/i],
  ['Archives', /\.(?:zip|tar|gz|tgz|7z|rar|dmg|iso)$/i],
  ['Music', /\.(?:mp3|flac|ogg|wav|m4a)$/i],
]

/** More would be more than one glance. */
const mostMoves = 20

export function tidy(folder: string, { turns }: Exchange): DemoReply {
  const [looked] = turns
  if (looked === undefined)
    return propose(`I am the demo model, so I follow fixed rules. First I look at what is in ${folder}.`, {
      tool: 'list_directory',
      args: { path: folder },
    })
  const plan = planFor(folder, looked.results[0]?.text ?? '')
  if (looked.results.every(({ isError }) => isError)) return stopped(looked.results[0]?.text ?? '')
  if (plan.moves.length === 0)
    return say(`${folder} is tidy already: there is no file in it that I would move.`)
  const steps = [plan.folders, plan.moves, [weekly(folder)]].filter((calls) => calls.length > 0)
  const last = turns.at(-1)
  if (
    last !== undefined &&
    last !== looked &&
    last.results.length > 0 &&
    last.results.every(({ isError }) => isError)
  )
    return stopped(refusalsIn(last).join(' '))
  const next = steps[turns.length - 1]
  if (next === plan.folders)
    return propose(
      `I make ${names(plan.folders.length, 'folder')} for ${names(plan.moves.length, 'file')}.`,
      ...next,
    )
  if (next === plan.moves)
    return propose(`I move ${names(plan.moves.length, 'file')}. Each move can be undone.`, ...next)
  if (next !== undefined)
    return propose(
      `${names(moved(turns), 'file')} of ${folder} ${moved(turns) === 1 ? 'is' : 'are'} in place. Shall I look after it every Friday? Work that begins by itself asks you first.`,
      ...next,
    )
  return say(
    `Done. ${names(moved(turns), 'file')} went into folders by kind, and every Friday at 17:00 I look again. Take the moves back with /undo, or the automation with \`countersign automation rm\`.`,
  )
}

interface Plan {
  readonly folders: readonly DemoCall[]
  readonly moves: readonly DemoCall[]
}

function planFor(folder: string, listing: string): Plan {
  const lines = listing.split('\n').map((line) => line.trim())
  const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)
  const there = new Set(lines.filter((line) => line.endsWith('/')).map((line) => nameOf(line.slice(0, -1))))
  const moves = lines
    .flatMap((line) => {
      const path = /^(?<path>.+) \(\d+\)$/.exec(line)?.groups?.['path']
      const name = path === undefined ? '' : nameOf(path)
      const [kind] = kindsOfFile.find(([, endings]) => endings.test(name)) ?? []
      return kind === undefined ? [] : [{ name, kind }]
    })
    .slice(0, mostMoves)
  const needed = [...new Set(moves.map(({ kind }) => kind))].filter((kind) => !there.has(kind))
  return {
    folders: needed.map((kind) => ({ tool: 'create_folder', args: { path: `${folder}/${kind}` } })),
    moves: moves.map(({ name, kind }) => ({
      tool: 'move_file',
      args: { source: `${folder}/${name}`, destination: `${folder}/${kind}/${name}` },
    })),
  }
}

function weekly(folder: string): DemoCall {
  return {
    tool: 'create_scheduled_task',
    args: {
      name: `Tidy ${folder}`,
      schedule: 'every Friday 17:00',
      prompt: `Tidy the folder ${folder}.`,
      tierMax: 1,
      maxCostUsd: 0.05,
    },
  }
}

/** Moves that were made, of whichever turn they are. */
function moved(turns: Exchange['turns']): number {
  return turns
    .flatMap(({ results }) => results)
    .filter(({ text, isError }) => !isError && text.startsWith('Moved ')).length
}

function stopped(reason: string): DemoReply {
  return say(`I stopped there. ${beginning(reason, 300)}`)
}

function names(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
