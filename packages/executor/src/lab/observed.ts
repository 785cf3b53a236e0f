/** Owns the memory of what a tool did with its hands. The hands do what they always do; here it is only written down. */
import type { BrowserAction, FoundPlace, Hands, Look, ShellCommand, WebRequest } from '@countersign/tools'
import { describeTarget } from '../egress/target.ts'
import type { Ambient } from './ambient.ts'

export interface FileUse {
  readonly op: 'read' | 'list' | 'write' | 'delete'
  readonly place: FoundPlace
}

export interface RequestUse {
  readonly method: string
  /** Scheme, host and port, as a resource names them; the text itself where it is no address. */
  readonly target: { readonly scheme: string; readonly host: string; readonly port: number } | null
  readonly url: string
}

export interface ProgramUse {
  readonly argv: readonly string[]
  readonly cwd: string
  /** Places on the network that it asked for and was refused. */
  readonly refused: readonly string[]
}

export interface Observed {
  readonly files: FileUse[]
  readonly requests: RequestUse[]
  readonly programs: ProgramUse[]
}

export function nothingObserved(): Observed {
  return { files: [], requests: [], programs: [] }
}

export function watchedHands(hands: Hands, observed: Observed, ambient: Pick<Ambient, 'inHands'>): Hands {
  const { files, shell, web, browser, script } = hands
  const by = <T>(op: FileUse['op'], place: FoundPlace, work: () => Promise<T>): Promise<T> => {
    observed.files.push({ op, place })
    return ambient.inHands(work)
  }
  return {
    session: hands.session,
    files: {
      place: files.place,
      bound: files.bound,
      read: (place, maxBytes) => by('read', place, () => files.read(place, maxBytes)),
      list: (place, depth) => by('list', place, () => files.list(place, depth)),
      info: (place) => by('read', place, () => files.info(place)),
      search: (place, search) => by('read', place, () => files.search(place, search)),
      write: (place, bytes, options) =>
        by(bytes === null ? 'delete' : 'write', place, () => files.write(place, bytes, options)),
      copy: (from, to) => by('read', from, () => by('write', to, () => files.copy(from, to))),
      move: (from, to) => by('delete', from, () => by('write', to, () => files.move(from, to))),
      makeFolder: (place) => by('write', place, () => files.makeFolder(place)),
      removeFolder: (place, count) => by('delete', place, () => files.removeFolder(place, count)),
    },
    shell: {
      async run(command: ShellCommand) {
        const ran = await ambient.inHands(() => shell.run(command))
        const refused = ran.kind === 'ran' ? refusedIn(ran.stderr) : []
        observed.programs.push({ argv: command.argv, cwd: command.cwd, refused })
        return ran
      },
    },
    web: {
      request(request: WebRequest) {
        observed.requests.push(requestOf(request.method, request.url))
        return ambient.inHands(() => web.request(request))
      },
    },
    browser: {
      act(action: BrowserAction, timeoutMs, signal) {
        const changes = action.action === 'click' || action.action === 'fill' || action.action === 'evaluate'
        observed.requests.push(requestOf(changes ? 'POST' : 'GET', action.url))
        return ambient.inHands(() => browser.act(action, timeoutMs, signal))
      },
    },
    script: { run: (program, signal) => ambient.inHands(() => script.run(program, signal)) },
  }
}

/** The eyes of a tool start processes of their own, which are not the tool's doing. */
export function watchedLook(look: Look, ambient: Pick<Ambient, 'inHands'>): Look {
  return {
    ...look,
    file: (place) => ambient.inHands(() => look.file(place)),
    hostFile: (path) => ambient.inHands(() => look.hostFile(path)),
    text: (place, maxBytes) => ambient.inHands(() => look.text(place, maxBytes)),
    program: (name) => ambient.inHands(() => look.program(name)),
  }
}

function requestOf(method: string, url: string): RequestUse {
  const found = describeTarget(url)
  if (found.kind === 'refused') return { method, url, target: null }
  const { scheme, asciiHost: host, port } = found
  return { method, url, target: { scheme, host, port } }
}

/** The hands append these lines to what the program itself says. */
function refusedIn(stderr: string): string[] {
  return [...stderr.matchAll(/^\[network\] refused (.+)$/gm)].map(([, what = '']) => what)
}
