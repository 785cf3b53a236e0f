/** Programs that look in the sandbox for what nobody named for them: secrets, files, networks, places to write. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import type { StdioLaunch } from '@countersign/contract'
import { type ExtensionBench, givenSecret, isOk, textOf } from '../bench.ts'
import { type Family, turn } from '../family.ts'
import { type Deed, tool } from '../plan.ts'

/** What got out: in an answer, or in what the program kept. */
function leaks(bench: ExtensionBench, name: string, told: string): string[] {
  const folder = join(bench.kept, 'data', name)
  const kept = existsSync(folder)
    ? readdirSync(folder).map((each) => readFileSync(join(folder, each), 'latin1'))
    : []
  const { hidden, kept: secret } = bench.canaries
  const all = [told, ...kept].join('\n')
  return [
    ...(all.includes(hidden) ? ['it saw what is hidden from it'] : []),
    ...(all.includes(secret) ? ['it saw a secret that it was not given'] : []),
  ]
}

function seeking(bench: ExtensionBench): Extract<Deed, { kind: 'seek' }> {
  const { host, canaries } = bench
  const vault = host.options.vault
  return {
    kind: 'seek',
    paths: [
      canaries.hostFile,
      canaries.privateFile,
      '/workspace/private/diary.txt',
      '/proc/1/environ',
      '/etc/shadow',
      ...(vault ? [vault.file, vault.key] : []),
      host.options.trustFile,
    ],
    folders: ['/workspace', '/home', '/root', host.folder, '/tmp', '/run', '/dev/shm'],
  }
}

const looking: Family = {
  name: 'a program that looks for secrets',
  mutants: ['servers-see-the-workspace', 'servers-inherit-everything'],
  async attempt(bench, _random, round) {
    const name = bench.nextName()
    const given = turn<Partial<StdioLaunch>>(
      [
        {},
        { folders: [{ path: 'notes', write: false }] },
        { hosts: [{ host: '127.0.0.1', port: bench.far.port }], secrets: { GIVEN: givenSecret } },
        { environment: { COLOUR: 'green' } },
      ],
      round,
    )
    mkdirSync(join(bench.host.workspace, 'notes'), { recursive: true })
    await bench.letIn(
      name,
      { tools: [tool('seek'), tool('given')], does: { seek: seeking(bench), given: { kind: 'given' } } },
      { launch: given },
    )
    const told = await bench.call(name, 'seek')
    const wrong = isOk(told) ? leaks(bench, name, textOf(told)) : [`it could not look: ${textOf(told)}`]
    const own = await bench.call(name, 'given')
    if (textOf(own).includes(bench.canaries.given)) wrong.push('the value of its secret was told')
    if (given.secrets && textOf(own) !== `‹secret:${givenSecret}›`)
      wrong.push(`it was not given its secret: ${textOf(own)}`)
    return wrong
  },
}

const networking: Family = {
  name: 'a program that looks for the network',
  mutants: ['servers-reach-any-host'],
  async attempt(bench, _random, round) {
    const name = bench.nextName()
    const hosts = round % 3 === 2 ? [] : [{ host: '127.0.0.1', port: bench.far.port }]
    const before = bench.trap.said.length
    const spellings = [
      '127.0.0.1',
      'localhost',
      '127.1',
      '0x7f000001',
      '::1',
      '[::ffff:127.0.0.1]',
      '0.0.0.0',
    ]
    bench.far.play('tunnel', () => ({ status: 200, body: {} }))
    await bench.letIn(
      name,
      {
        tools: [tool('seek')],
        does: {
          seek: {
            kind: 'seek',
            targets: [
              { host: '127.0.0.1', port: bench.far.port },
              ...['127.0.0.1', turn(spellings, round)].map((host) => ({ host, port: bench.trap.port })),
            ],
          },
        },
      },
      { launch: { hosts } },
    )
    const seen = bench.far.asked('tunnel').length
    const told = await bench.call(name, 'seek')
    const wrong: string[] = []
    if (!isOk(told)) wrong.push(`it could not look: ${textOf(told)}`)
    if (bench.trap.said.length > before) wrong.push('it reached a place that nobody named')
    const isReached = bench.far.asked('tunnel').length > seen
    if (isReached !== hosts.length > 0)
      wrong.push(isReached ? 'it reached a host without one' : `it could not reach its host: ${textOf(told)}`)
    return wrong
  },
}

const speakingLocally: Family = {
  name: 'a program that looks for local sockets',
  mutants: ['local-sockets-for-everybody', 'local-sockets-beside-folders'],
  async attempt(bench, _random, round) {
    const notes = join(bench.host.workspace, 'notes')
    mkdirSync(notes, { recursive: true })
    const nowhere = `\0${bench.nextName()}`
    const reached: string[] = []
    const places = [join(notes, 'host.sock'), nowhere]
    const listeners = await Promise.all(places.map((place) => listenLocally(place, reached)))
    const seek: Deed = { kind: 'seek', sockets: ['/workspace/notes/host.sock', ...places] }
    const folders = [{ path: 'notes', write: round % 2 === 0 }]
    const launch = turn<Partial<StdioLaunch>>(
      [{ folders }, { sockets: true }, { folders, sockets: true }],
      round,
    )
    const name = bench.nextName()
    const isLetIn = await bench.letIn(name, { tools: [tool('seek')], does: { seek } }, { launch }).then(
      () => true,
      () => false,
    )
    const told = isLetIn ? textOf(await bench.call(name, 'seek')) : ''
    await Promise.all(listeners.map((close) => close()))
    rmSync(notes, { recursive: true, force: true })
    const wrong = reached.map((place) => `it reached a socket of the host: ${place}`)
    if (isLetIn === (launch.folders !== undefined && launch.sockets === true))
      wrong.push(isLetIn ? 'it was let in with both' : 'it was not let in')
    if (isLetIn && !told.includes('"local"')) wrong.push(`it could not look: ${told}`)
    return wrong
  },
}

function listenLocally(place: string, reached: string[]): Promise<() => Promise<void>> {
  const server = createServer((socket) => {
    reached.push(place)
    socket.destroy()
  })
  return new Promise((resolve) => {
    server.listen(place, () => resolve(() => new Promise((closed) => void server.close(() => closed()))))
  })
}

const writing: Family = {
  name: 'a program that writes where it may only look',
  mutants: ['server-folders-are-writable'],
  async attempt(bench, random) {
    const name = bench.nextName()
    const place = (folder: string) => join(bench.host.workspace, folder)
    for (const folder of ['looked', 'written', 'private']) mkdirSync(place(folder), { recursive: true })
    writeFileSync(join(place('looked'), 'kept.txt'), 'as it was')
    const file = `planted-${random.below(1_000_000)}`
    const { hostFile, privateFile } = bench.canaries
    await bench.letIn(
      name,
      {
        tools: [tool('seek')],
        does: {
          seek: {
            kind: 'seek',
            writes: [
              `/extension/${file}`,
              '/extension/plan.json',
              '/workspace/looked/kept.txt',
              `/workspace/looked/${file}`,
              `/workspace/private/${file}`,
              `/workspace/${file}`,
              `/workspace/written/../${file}`,
              `/workspace/written/${file}`,
            ],
            links: [
              ['/workspace/written/out', hostFile],
              ['/workspace/written/diary', '/workspace/private/diary.txt'],
            ],
          },
        },
      },
      {
        launch: {
          folders: [
            { path: 'looked', write: false },
            { path: 'written', write: true },
          ],
        },
      },
    )
    const told = await bench.call(name, 'seek')
    const wrong = isOk(told) ? leaks(bench, name, textOf(told)) : [`it could not try: ${textOf(told)}`]
    if (readFileSync(join(place('looked'), 'kept.txt'), 'utf8') !== 'as it was')
      wrong.push('it changed a file that it may only read')
    for (const folder of ['looked', 'private', '.'])
      if (existsSync(join(place(folder), file))) wrong.push(`it wrote in ${folder}`)
    if (!existsSync(join(place('written'), file))) wrong.push('it could not write in its own folder')
    if (readFileSync(privateFile, 'utf8') !== bench.canaries.hidden) wrong.push('it changed a private file')
    const { launch } = bench.entry(name)
    const tree = launch.kind === 'stdio' ? launch.tree : null
    if (tree === null || existsSync(join(bench.kept, 'trees', tree, 'files', file)))
      wrong.push('it changed its own files')
    // The links that it left are no way for a call of ours.
    const read = await bench.ask('read_file', { path: 'written/out' })
    wrong.push(...leaks(bench, name, textOf(read)))
    rmSync(place('written'), { recursive: true })
    return wrong
  },
}

const leading: Family = {
  name: 'a folder that leads elsewhere',
  mutants: ['server-folders-lead-out'],
  async attempt(bench, random, round) {
    const name = bench.nextName()
    const outside = bench.folder()
    writeFileSync(join(outside, 'secret.txt'), bench.canaries.hidden)
    const link = `link-${random.below(1_000_000)}`
    const at = join(bench.host.workspace, link)
    const folder = bench.program({
      tools: [tool('seek')],
      does: {
        seek: {
          kind: 'seek',
          paths: [
            join(outside, 'secret.txt'),
            `/workspace/${link}/secret.txt`,
            `/workspace/${link}/diary.txt`,
            '/workspace/private/diary.txt',
          ],
        },
      },
    })
    const launch = await bench.launch(folder, { data: true, folders: [{ path: link, write: true }] })
    // It is a folder when it is let in, and a link when it is started.
    mkdirSync(at)
    await bench.add(name, launch, folder)
    await bench.look(name)
    await bench.accept(name, { seek: 0 })
    await bench.reopen(() => {
      rmSync(at, { recursive: true })
      symlinkSync(turn([outside, 'private', dirname(bench.canaries.privateFile)], round), at)
    })
    const told = await bench.call(name, 'seek')
    rmSync(at)
    return [
      ...leaks(bench, name, textOf(told)),
      ...(isOk(told) ? ['it was started with another folder than the one that was named'] : []),
    ]
  },
}

export const confinementFamilies: readonly Family[] = [looking, networking, speakingLocally, writing, leading]
