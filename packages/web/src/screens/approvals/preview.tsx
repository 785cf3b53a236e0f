/** Shows exactly what will run, by the kind of call. Nothing is cut: what is long is scrolled or opened, never lost. */
import type { Preview as PreviewShape } from '@countersign/contract'
import { displayHost, forDisplay } from '@countersign/contract'
import type { ReactNode } from 'react'
import { Facts, Mono, Safe, Sheet, sizeWords, Table } from '../../kit/index.ts'

export function Preview({ preview }: { preview: PreviewShape }) {
  switch (preview.kind) {
    case 'shell':
      return (
        <Parts
          facts={[
            ['Folder', <Mono key="cwd" text={preview.cwd} />],
            ['Sandbox', <Safe key="sandbox" text={preview.sandbox} />],
          ]}
        >
          <Block name="Command" text={preview.command} />
        </Parts>
      )
    case 'http':
      return <HttpPreview preview={preview} />
    case 'write':
      return (
        <Parts
          facts={[
            ['File', <Mono key="path" text={preview.path} />],
            ['Size', sizeOf(preview.content)],
          ]}
        >
          <Block name="The whole file" text={preview.content} />
        </Parts>
      )
    case 'code':
      return (
        <Parts
          facts={[
            ['Program', <Safe key="title" text={preview.title} />],
            ['Language', <Safe key="language" text={preview.language} />],
          ]}
        >
          <Block name="The whole program" text={preview.code} />
        </Parts>
      )
    case 'table':
      return (
        <Sheet>
          <Table
            caption={forDisplay(preview.title).text}
            columns={preview.columns.map((title, place) => ({
              title: forDisplay(title).text,
              cell: (row: readonly string[]) => <Safe text={row[place] ?? ''} />,
            }))}
            rows={preview.rows}
            keyOf={(row) => row.join('\0')}
          />
        </Sheet>
      )
    case 'text':
      return (
        <Parts facts={[]}>
          <Block name={preview.title} text={preview.text} />
        </Parts>
      )
  }
}

function HttpPreview({ preview }: { preview: Extract<PreviewShape, { kind: 'http' }> }) {
  const url = URL.parse(preview.url)
  return (
    <Parts
      facts={[
        ['Method', <Mono key="method" text={preview.method} />],
        ['Host', url === null ? null : <Mono key="host" text={displayHost(url.hostname).text} />],
        ['Address', <Mono key="url" text={preview.url} className="break-all" />],
        ...preview.headers.map(
          ([name, value]) =>
            [forDisplay(name).text, <Mono key={name} text={value} className="break-all" />] as [
              string,
              ReactNode,
            ],
        ),
      ]}
    >
      {preview.body === '' ? null : <Block name="Body" text={preview.body} />}
    </Parts>
  )
}

function Parts({
  facts,
  children,
}: {
  facts: readonly (readonly [string, ReactNode])[]
  children: ReactNode
}) {
  return (
    <Sheet padded={false}>
      {facts.length === 0 ? null : <Facts rows={facts} className="px-4 py-3" />}
      {children}
    </Sheet>
  )
}

function Block({ name, text }: { name: string; text: string }) {
  return (
    <div className="border-t border-line first:border-t-0">
      <p className="px-4 pt-2 text-small text-ink-3">
        <Safe text={name} />
      </p>
      <Mono block text={text === '' ? '(nothing)' : text} className="px-4 pb-3" />
    </div>
  )
}

function sizeOf(text: string): string {
  return sizeWords(new TextEncoder().encode(text).length)
}
