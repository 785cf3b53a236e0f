/**
 * `countersign plugin`: for whoever writes one. Making and testing is done by the lab, a program of its own that loads the code
 * of the author. Nothing here lets a plugin in: that is `countersign extension add`, and a card.
 */
import { mkdtempSync, rmSync, watch, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { pluginFile, readPluginManifest } from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import { filesInFolder, packedFiles } from '@countersign/contract/skills'
import type { Context, Handler } from '../context.ts'
import { type CommandAnswer, done, failed } from '../output/answer.ts'
import { columns, indent } from '../output/columns.ts'
import { usage } from '../output/failure.ts'
import { line } from '../output/safe-text.ts'
import { askLab, notDone, reportText, type ToolReport } from './tool-lab.ts'

export const create: Handler = async (context, [name = ''], options) => {
  const folder = resolve(typeof options['folder'] === 'string' ? options['folder'] : '.')
  const channel = options['channel'] === true
  const answer = await askLab({ ask: 'new-plugin', name, folder, channel }, context)
  if (answer.kind !== 'made') return notDone(answer)
  const { files } = answer
  const place = relative(process.cwd(), answer.folder) || '.'
  const quiet = (text: string) => context.paint('quiet', text)
  return done({ name, folder: answer.folder, files: files.map(({ path }) => path) }, () =>
    [
      `Made ${context.paint('strong', line(name))} in ${line(place)}/`,
      indent(columns(files.map(({ path, about }) => [line(path), quiet(about)]))),
      '',
      'Next',
      indent(
        columns([
          [`countersign plugin dev ${line(place)}`, quiet('test it with each change')],
          [`countersign extension add ${line(name)} --plugin ${line(place)}`, quiet('let it in, by a card')],
        ]),
      ),
    ].join('\n'),
  )
}

export const test: Handler = async (context, [place = '.'], options) => {
  const isOffline = options['offline'] === true
  const answer = await examined(context, place, { write: options['write'] === true, offline: isOffline })
  if (answer.kind !== 'examined') return notDone(answer)
  const [report] = answer.reports
  if (!report) throw new Error('The lab examined nothing.')
  if (report.ok) return done({ report }, () => reportText(report, context))
  if (!context.flags.json) context.say(`${reportText(report, context)}\n`)
  return failed({
    type: 'tool_test_failed',
    message: `${line(report.tool)} does not hold: ${wrongIn(report)}.`,
    next: 'Correct it, then run it again; --write puts the tools of the code into the manifest.',
    exit: 1,
    details: { report },
  })
}

/** Ends only when the author ends it. What changes while it is tested is tested again. */
export const dev: Handler = async (context, [place = '.'], options) => {
  if (context.flags.json)
    return usage(
      'It tells of each change until you stop it. `plugin test --json` gives one document.',
      'plugin dev',
    )
  const folder = resolve(place)
  let tested = ''
  let turn = Promise.resolve()
  const again = async (): Promise<void> => {
    const state = await stateOf(folder)
    if (state === tested) return
    const answer = await examined(context, place, { write: true, offline: options['offline'] === true })
    if (answer.kind === 'examined')
      for (const report of answer.reports) context.say(`${reportText(report, context)}\n`)
    else if (answer.kind === 'failed') context.say(`${line(answer.message)} ${line(answer.next)}\n`)
    // The manifest was written meanwhile, by us.
    tested = await stateOf(folder)
    context.say('\nWaiting for changes. End it with Ctrl-C.\n')
  }
  const watcher = watch(folder, { recursive: true }, (_event, path) => {
    if (path !== null && ignored.some((name) => path === name || path.startsWith(`${name}/`))) return
    turn = turn.then(again)
  })
  turn = turn.then(again)
  await turn
  return new Promise<CommandAnswer>((_end, reject) => watcher.once('error', reject))
}

export const pack: Handler = async (_context, [place = '.'], options) => {
  const folder = resolve(place)
  const found = await filesInFolder(folder, ignored)
  if (found.kind === 'refused') return usage(found.reason, 'plugin pack')
  // Archives that were made before are no part of the next one.
  const files = new Map([...found.files].filter(([path]) => !/^[^/]+\.tgz$/.test(path)))
  const read = readPluginManifest(Buffer.from(files.get(pluginFile)?.bytes ?? []).toString('utf8'))
  if (read.kind === 'refused') return usage(line(read.reason), 'plugin pack')
  const { name, version } = read.manifest
  const packed = packedFiles(files, name)
  if (typeof packed === 'string') return usage(line(packed), 'plugin pack')
  const out =
    typeof options['out'] === 'string' ? resolve(options['out']) : join(folder, `${name}-${version}.tgz`)
  writeFileSync(out, packed)
  const sha256 = sha256Hex(packed)
  return done({ archive: out, sha256, files: [...files.keys()] }, () =>
    [
      `Packed ${files.size} files into ${line(relative(process.cwd(), out))}`,
      indent(columns([['sha256', sha256]])),
      `Others let it in with \`countersign extension add ${line(name)} --plugin ${line(name)}-${line(version)}.tgz\`.`,
    ].join('\n'),
  )
}

/** No part of a plugin, though it lies in the folder of its author. */
const ignored = ['.git', 'node_modules']

interface TestWish {
  readonly write: boolean
  readonly offline: boolean
}

async function examined(context: Context, place: string, { write, offline }: TestWish) {
  // Removed here and not by the lab, which may have to be ended by force.
  const scratch = mkdtempSync(join(tmpdir(), 'countersign-test-'))
  const request = { ask: 'test-plugin', folder: resolve(place), scratch, write, offline }
  return askLab(request, context).finally(() => rmSync(scratch, { recursive: true, force: true }))
}

function wrongIn({ checks }: ToolReport): string {
  return checks.flatMap(({ name, state }) => (state === 'failed' ? [name] : [])).join(', ')
}

/** Over all that is tested. */
async function stateOf(folder: string): Promise<string> {
  const found = await filesInFolder(folder, ignored)
  if (found.kind === 'refused') return found.reason
  const hashes = [...found.files].map(([path, { bytes }]) => `${path} ${sha256Hex(bytes)}`)
  return hashes.join('\n')
}
