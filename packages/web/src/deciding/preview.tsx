/** Shows exactly what will run, by the kind of call. Nothing is cut: what is long is scrolled or opened, never lost. */

import type { Preview as PreviewShape } from '@countersign/contract'
import { displayHost, forDisplay } from '@countersign/contract'
import type { ReactNode } from 'react'
import { Facts, Mono, Safe, Sheet, Table } from '../kit/index.ts'
import { sizeWords } from '../language/format.ts'
import { words } from '../words/approvals.tsx'
import { words as common } from '../words/common.ts'

export function Preview({ preview }: { preview: PreviewShape }) {
  switch (preview.kind) {
    case 'shell':
      return (
        <Parts
          facts={[
            [words.preview.folder, <Mono key="cwd" text={preview.cwd} />],
            [words.preview.sandbox, <Safe key="sandbox" text={preview.sandbox} />],
          ]}
        >
          <Block name={words.preview.command} text={preview.command} />
        </Parts>
      )
    case 'http':
      return <HttpPreview preview={preview} />
    case 'write':
      return (
        <Parts
          facts={[
            [words.preview.file, <Mono key="path" text={preview.path} />],
            [words.preview.size, sizeOf(preview.content)],
          ]}
        >
          <Block name={words.preview.wholeFile} text={preview.content} />
        </Parts>
      )
    case 'code':
      return (
        <Parts
          facts={[
            [words.preview.program, <Safe key="title" text={preview.title} />],
            [words.preview.language, <Safe key="language" text={preview.language} />],
          ]}
        >
          <Block name={words.preview.wholeProgram} text={preview.code} />
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
        [words.preview.method, <Mono key="method" text={preview.method} />],
        [words.preview.host, url === null ? null : <Mono key="host" text={displayHost(url.hostname).text} />],
        [words.preview.address, <Mono key="url" text={preview.url} className="break-all" />],
        ...preview.headers.map(
          ([name, value]) =>
            [forDisplay(name).text, <Mono key={name} text={value} className="break-all" />] as [
              string,
              ReactNode,
            ],
        ),
      ]}
    >
      {preview.body === '' ? null : <Block name={words.preview.body} text={preview.body} />}
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
      <Mono block text={text === '' ? common.nothing : text} className="px-4 pb-3" />
    </div>
  )
}

function sizeOf(text: string): string {
  return sizeWords(new TextEncoder().encode(text).length)
}
