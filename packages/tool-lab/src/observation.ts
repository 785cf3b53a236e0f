/** Owns the memory of what a tool did with its hands. The hands do what they always do; here it is only written down. */
import { describeTarget } from '@countersign/executor/workbench'
import type {
  BrowserAction,
  FileLocation,
  Inspector,
  ShellCommand,
  ToolCapabilities,
  WebRequest,
} from '@countersign/tools'
import type { Ambient } from './ambient.ts'

export interface FileUse {
  readonly op: 'read' | 'list' | 'write' | 'delete'
  readonly location: FileLocation
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

export interface Observation {
  readonly files: FileUse[]
  readonly requests: RequestUse[]
  readonly programs: ProgramUse[]
}

export function emptyObservation(): Observation {
  return { files: [], requests: [], programs: [] }
}

export function watchedCapabilities(
  capabilities: ToolCapabilities,
  observed: Observation,
  ambient: Pick<Ambient, 'inCapability'>,
): ToolCapabilities {
  const { files, shell, web, browser, script, documents, codingAgents, mail, calendarServer, models } =
    capabilities
  const { extensions, servers } = capabilities
  const by = <T>(op: FileUse['op'], location: FileLocation, work: () => Promise<T>): Promise<T> => {
    observed.files.push({ op, location })
    return ambient.inCapability(work)
  }
  return {
    session: capabilities.session,
    files: {
      locate: files.locate,
      bound: files.bound,
      read: (location, maxBytes) => by('read', location, () => files.read(location, maxBytes)),
      list: (location, depth) => by('list', location, () => files.list(location, depth)),
      info: (location) => by('read', location, () => files.info(location)),
      search: (location, search) => by('read', location, () => files.search(location, search)),
      uploaded: (sha256) => ambient.inCapability(() => files.uploaded(sha256)),
      dropUpload: (sha256) => ambient.inCapability(() => files.dropUpload(sha256)),
      write: (location, bytes, options) =>
        by(bytes === null ? 'delete' : 'write', location, () => files.write(location, bytes, options)),
      copy: (from, to) => by('read', from, () => by('write', to, () => files.copy(from, to))),
      move: (from, to) => by('delete', from, () => by('write', to, () => files.move(from, to))),
      makeFolder: (location) => by('write', location, () => files.makeFolder(location)),
      removeFolder: (location, count) => by('delete', location, () => files.removeFolder(location, count)),
      takeHeld: (held) => ambient.inCapability(() => files.takeHeld(held)),
      restoreKept: (kept) => ambient.inCapability(() => files.restoreKept(kept)),
    },
    shell: {
      bound: () => shell.bound(),
      async run(command: ShellCommand) {
        const ran = await ambient.inCapability(() => shell.run(command))
        const refused = ran.kind === 'ran' ? refusedIn(ran.stderr) : []
        observed.programs.push({ argv: command.argv, cwd: command.cwd, refused })
        return ran
      },
    },
    web: {
      request(request: WebRequest) {
        observed.requests.push(requestOf(request.method, request.url))
        return ambient.inCapability(() => web.request(request))
      },
    },
    browser: {
      act(action: BrowserAction, timeoutMs, signal) {
        const changes = action.action === 'click' || action.action === 'fill' || action.action === 'evaluate'
        observed.requests.push(requestOf(changes ? 'POST' : 'GET', action.url))
        return ambient.inCapability(() => browser.act(action, timeoutMs, signal))
      },
    },
    script: { run: (program, signal) => ambient.inCapability(() => script.run(program, signal)) },
    codingAgents,
    extensions,
    servers,
    documents: {
      run(question, from, signal) {
        const work = () => documents.run(question, from, signal)
        return from === null || from instanceof Uint8Array
          ? ambient.inCapability(work)
          : by('read', from, work)
      },
    },
    // The servers of an account are the product's to name, so there is nothing here that a tool could say otherwise.
    mail,
    calendarServer,
    models: { work: (task) => ambient.inCapability(() => models.work(task)) },
  }
}

/** The eyes of a tool start processes of their own, which are not the tool's doing. */
export function watchedInspector(inspect: Inspector, ambient: Pick<Ambient, 'inCapability'>): Inspector {
  return {
    ...inspect,
    file: (location) => ambient.inCapability(() => inspect.file(location)),
    hostFile: (path) => ambient.inCapability(() => inspect.hostFile(path)),
    text: (location, maxBytes) => ambient.inCapability(() => inspect.text(location, maxBytes)),
    program: (name) => ambient.inCapability(() => inspect.program(name)),
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
