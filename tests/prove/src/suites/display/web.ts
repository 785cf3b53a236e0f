/**
 * The parts that the web app shows text of others with, rendered by React as the app does: one element for a line,
 * one for a block, and the warning over all that runs.
 */
import type { ApprovalView, Preview } from '@countersign/contract'
import type { Shown, Surface } from './surface.ts'
import { fromWeb, readTsx } from './tsx.ts'

interface React {
  createElement(
    type: unknown,
    props: Readonly<Record<string, unknown>> | null,
    ...children: unknown[]
  ): unknown
}
interface Renderer {
  renderToStaticMarkup(element: unknown): string
}
interface Parts {
  readonly Safe: unknown
  readonly SafeBlock: unknown
  readonly Mono: unknown
  readonly DisplayFlags: unknown
}

const warning = 'Look closely: '

export async function openWeb(): Promise<Surface> {
  await readTsx()
  const [{ createElement }, { renderToStaticMarkup }] = await Promise.all([
    fromWeb<React>('react'),
    fromWeb<Renderer>('react-dom/server'),
  ])
  const kit = new URL('../../../../../packages/web/src/kit/mono.tsx', import.meta.url)
  const { Safe, SafeBlock, Mono, DisplayFlags } = (await import(kit.href)) as Parts
  const line = (text: string) => createElement(Safe, { text })
  const piece = (text: string) => createElement(Mono, { text })
  const block = (text: string) => createElement(Mono, { text, block: true })

  function tree(view: ApprovalView): unknown {
    const { card } = view
    const preview = partsOf(card.preview)
    const effects = card.effects.flatMap(({ object, leaves }) => [object, ...leaves])
    return createElement(
      'article',
      null,
      line(card.headline),
      createElement(DisplayFlags, {
        texts: [card.headline, ...preview.pieces, ...effects, card.why.reason, ...card.why.raised],
        multiline: false,
      }),
      createElement(DisplayFlags, { texts: preview.blocks }),
      ...preview.pieces.map(piece),
      ...preview.blocks.map(block),
      ...effects.map(piece),
      ...[card.why.reason, ...card.why.raised, ...view.options.map(({ sentence }) => sentence)].map(line),
      ...view.asked.map(({ question }) => line(question)),
      ...[view.agentSays, ...view.asked.map(({ answer }) => answer)].map((text) =>
        createElement(SafeBlock, { text }),
      ),
      ...(view.receipt === null ? [] : [line(view.receipt)]),
    )
  }

  return {
    name: 'web',
    show: (view) => shownIn(renderToStaticMarkup(tree(view)), view),
    isDerived: () => false,
    marks: null,
  }
}

function partsOf(preview: Preview): { pieces: string[]; blocks: string[] } {
  switch (preview.kind) {
    case 'text':
      return { pieces: [preview.title], blocks: [preview.text] }
    case 'shell':
      return { pieces: [preview.cwd, preview.sandbox], blocks: [preview.command] }
    case 'http':
      return { pieces: [preview.method, preview.url, ...preview.headers.flat()], blocks: [preview.body] }
    case 'write':
      return { pieces: [preview.path], blocks: [preview.content] }
    case 'code':
      return { pieces: [preview.title, preview.language], blocks: [preview.code] }
    case 'table':
      return { pieces: [preview.title, ...preview.columns, ...preview.rows.flat()], blocks: [] }
  }
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#x27': "'",
  '#39': "'",
}

/** Each element with its tag and its own text; an element that text of others brought in would be one more. */
function shownIn(html: string, view: ApprovalView): Shown {
  const units: string[] = []
  for (const [, tag = '', , text = ''] of html.matchAll(/<([a-z]+)((?: [^<>]*)?)>([^<]*)/g))
    units.push(
      `${tag}:${text.replace(/&([a-z]+|#x?[0-9a-f]+);/g, (all, name: string) => entities[name] ?? all)}`,
    )
  const isWarning = (unit: string) => unit.startsWith(`p:${warning}`)
  return {
    units: units.filter((unit) => !isWarning(unit)),
    warns: units.some(isWarning),
    isWhole: true,
    isApprovable: view.receipt === null,
  }
}
