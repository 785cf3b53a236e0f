/** Owns what every command is given: the host, the global flags, and the gateway once somebody asks for it. */
import type { HomePaths } from '@countersign/contract/node'
import type { Gateway } from './connection.ts'
import type { Host } from './host.ts'
import type { CommandAnswer } from './output/answer.ts'
import { type Paint, painter } from './output/colour.ts'
import type { Moment } from './output/time.ts'
import { createWorking } from './output/working.ts'
import { wrap } from './output/wrap.ts'

export interface GlobalFlags {
  readonly json: boolean
  readonly plain: boolean
  readonly colour: boolean
  readonly quiet: boolean
  /** Says more on stderr. */
  readonly verbose: boolean
  /** Whoever gave the command has agreed already. */
  readonly yes: boolean
  readonly url: string | undefined
  readonly waitMs: number | undefined
}

export type OptionValues = Readonly<Record<string, string | boolean | undefined>>

export interface Context {
  readonly host: Host
  readonly flags: GlobalFlags
  readonly paint: Paint
  /** A person sits at both ends: prompts and redrawing make sense. */
  readonly interactive: boolean
  /** Lines that were written may be written over. */
  readonly redraws: boolean
  paths(): Promise<HomePaths>
  gateway(): Promise<Gateway>
  moment(): Moment
  /** How wide the terminal is; undefined through a pipe, where nothing is broken or cut. */
  width(): number | undefined
  /** Writes text for people, broken between words at the width of the terminal. */
  say(text: string): void
  /**
   * Says what the command is at, on a terminal and once it takes long. Called again it says how far it is; the end of the
   * command takes it away.
   */
  working(words: string, stop?: string): void
  /** Takes that away before something is asked. */
  rest(): void
  /** Says something that is not data. */
  note(text: string): void
  /** Says something that is worth reading only with `--verbose`. */
  detail(text: string): void
}

export type Handler = (
  context: Context,
  args: readonly string[],
  options: OptionValues,
) => Promise<CommandAnswer>

export function createContext(host: Host, flags: GlobalFlags): Context {
  const { environment, output, input } = host
  const terminal = output.isTTY === true && !flags.json && !flags.plain
  const coloured = terminal && flags.colour && !environment.noColour && !environment.dumbTerminal
  const paths = async () => (await import('./home.ts')).homePaths(environment.home, host.platform)
  const work = createWorking({
    errors: host.errors,
    shows: terminal && host.errors.isTTY === true && !flags.quiet && !environment.dumbTerminal,
    clock: host.clock,
  })
  const detail = (text: string) => {
    if (flags.verbose) host.errors.write(`${text}\n`)
  }
  return {
    host,
    flags,
    paint: painter(coloured),
    interactive: output.isTTY === true && input.isTTY === true && !flags.json,
    redraws: terminal && input.isTTY === true && !environment.dumbTerminal,
    paths,
    async gateway() {
      const { openGateway } = await import('./connection.ts')
      const gateway = await openGateway({
        paths: await paths(),
        url: flags.url ?? environment.url,
        WebSocket: host.WebSocket,
        onFound: (url) => detail(`gateway ${url}`),
      })
      if (host.witnesses) {
        const { witnessAtConnect } = await import('./ledger-witness.ts')
        const warn = (text: string) => {
          work.hide()
          host.errors.write(`${wrap(text, widthOfTerminal(host, flags))}\n`)
        }
        await witnessAtConnect(gateway, { paths: await paths(), now: host.clock, warn, detail })
      }
      return gateway
    },
    width: () => widthOfTerminal(host, flags),
    working: work.at,
    rest: work.end,
    say(text) {
      work.hide()
      output.write(`${wrap(text, widthOfTerminal(host, flags))}\n`)
    },
    moment: () => ({ now: host.clock(), zone: host.zone }),
    note(text) {
      work.hide()
      if (!flags.quiet) host.errors.write(`${wrap(text, widthOfTerminal(host, flags))}\n`)
    },
    detail,
  }
}

export function widthOfTerminal(
  { output }: Pick<Host, 'output'>,
  { json, plain }: Pick<GlobalFlags, 'json' | 'plain'>,
): number | undefined {
  return output.isTTY === true && !json && !plain && output.columns ? output.columns : undefined
}
