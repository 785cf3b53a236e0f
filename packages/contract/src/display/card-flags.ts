/**
 * Tells what on a card could deceive the eye: whatever a surface would have to escape in it, on one line or on
 * several, and a host whose letters could be taken for others. The length of a text deceives nobody.
 */
import type { Card, Preview } from '../card.ts'
import { argumentLines } from './arguments.ts'
import { displayHost } from './host.ts'
import { type DisplayFlag, forDisplay, mergeFlags } from './sanitise.ts'

export function cardFlags({ headline, args, chain, preview, effects, why }: Card): DisplayFlag[] {
  const { line, lines } = textsOf(preview)
  const named = effects.flatMap((effect) => [effect.object, ...effect.leaves])
  const flags = mergeFlags(
    ...[headline, ...chain.map(({ name }) => name), ...line, ...named, why.reason, ...why.raised].map(
      (text) => forDisplay(text).flags,
    ),
    ...argumentLines(args).flatMap(({ path, whole }) => [
      forDisplay(path).flags,
      forDisplay(whole, { multiline: true }).flags,
    ]),
    ...lines.map((text) => forDisplay(text, { multiline: true }).flags),
    preview.kind === 'http' ? displayHost(hostOf(preview.url)).flags : [],
  )
  return flags.filter((flag) => flag !== 'long')
}

/** The host of an address with its port, or the address itself where it names none. */
export function hostOf(url: string): string {
  return URL.parse(url)?.host || url
}

/** Every text of a preview: what is shown on one line, and what may take several. */
function textsOf(preview: Preview): { line: readonly string[]; lines: readonly string[] } {
  switch (preview.kind) {
    case 'text':
      return { line: [preview.title], lines: [preview.text] }
    case 'shell':
      return { line: [preview.cwd, preview.sandbox], lines: [preview.command] }
    case 'http':
      return { line: [preview.method, preview.url, ...preview.headers.flat()], lines: [preview.body] }
    case 'write':
      return { line: [preview.path], lines: [preview.content] }
    case 'code':
      return { line: [preview.title, preview.language], lines: [preview.code] }
    case 'table':
      // A cell is shown on one line, but a note of several lines in it is nothing to be warned of.
      return { line: [preview.title, ...preview.columns], lines: preview.rows.flat() }
  }
}
