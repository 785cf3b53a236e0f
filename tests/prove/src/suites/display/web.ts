/** The card of the web app, rendered by React as the app does, with the little of the app that it leans on. */
import type { ApprovalView } from '@countersign/contract'
import { now } from './places.ts'
import type { ShownCard, Surface } from './surface.ts'
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

const source = new URL('../../../../../packages/web/src/', import.meta.url)
const part = async (path: string) =>
  (await import(new URL(path, source).href)) as Record<
    'ApprovalCard' | 'ServicesContext' | 'LocationProvider',
    unknown
  >
const nothing = () => undefined

export async function openWeb(): Promise<Surface> {
  await readTsx()
  const { createElement, renderToStaticMarkup, ApprovalCard, ServicesContext, LocationProvider } =
    await asBuilt(async () => ({
      ...(await fromWeb<React>('react')),
      ...(await fromWeb<Renderer>('react-dom/server')),
      ...(await part('deciding/card.tsx')),
      ...(await part('environment/services.tsx')),
      ...(await part('environment/location.tsx')),
    }))
  const address = { pathname: '/approvals', search: '', hash: '' }
  const history = { get: () => address, listen: () => nothing, push: nothing, replace: nothing }

  return {
    name: 'web',
    show(view) {
      const card = createElement(ApprovalCard, {
        approval: view,
        detail: undefined,
        replaced: undefined,
        onExtend: null,
      })
      const services = { value: { now: () => now } }
      return shownIn(
        renderToStaticMarkup(
          createElement(
            ServicesContext,
            services,
            createElement(LocationProvider, { history, preload: nothing }, card),
          ),
        ),
        view,
      )
    },
    isDerived: (unit) => /^dd:[\d.,]+ [kM]?B$/.test(unit),
    marks: null,
  }
}

/** React decides while it is loaded whether it is the one of a build, which is many times faster. */
async function asBuilt<T>(load: () => Promise<T>): Promise<T> {
  const before = process.env['NODE_ENV']
  process.env['NODE_ENV'] = 'production'
  try {
    return await load()
  } finally {
    if (before === undefined) delete process.env['NODE_ENV']
    else process.env['NODE_ENV'] = before
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
const plain = (html: string) =>
  html.replace(/&([a-z]+|#x?[0-9a-f]+);/g, (all, name: string) => entities[name] ?? all)
/** A host in both of its forms; the address itself stands beside it. */
const hostRow = /<div class="contents"><dt[^<>]*>Host<\/dt><dd[^<>]*>(<[^<>]*>[^<]*<[^<>]*>)<\/dd><\/div>/
const warning = 'p:Look closely: '

/** Each tag with the text that follows it; an element that text of others brought in would be one more. */
function shownIn(html: string, view: ApprovalView): ShownCard {
  const host = hostRow.exec(html)?.[1] ?? ''
  const tags = [...html.replace(hostRow, '').matchAll(/<(\/?[a-z][a-z0-9]*)([^<>]*)>([^<]*)/g)]
  const units = tags.map(([, tag = '', , text = '']) => `${tag}:${plain(text)}`)
  const isWarning = (unit: string, at: number) =>
    unit.startsWith(warning) || (units[at - 1] ?? '').startsWith(warning)
  return {
    units: units.filter((unit, at) => !isWarning(unit, at)),
    besides: [plain(host), ...tags.map(([, , attributes = '']) => plain(attributes))],
    warns: units.some((unit) => unit.startsWith(warning)),
    isWhole: true,
    isApprovable: view.receipt === null,
  }
}
