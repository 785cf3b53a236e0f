/** Owns the colours of code. The highlighter gives a tree, which is drawn as elements and never as HTML. */

import { common, createLowlight } from 'lowlight'
import { Fragment, type ReactNode } from 'react'

type Tree = ReturnType<ReturnType<typeof createLowlight>['highlight']>
type TreeNode = Tree['children'][number]

/** Longer code is shown plainly: its colours would take longer than its reading. */
const longest = 50_000

const lowlight = createLowlight(common)

export default function Coloured({ language, code }: { language: string; code: string }) {
  if (code.length > longest || !lowlight.registered(language)) return code
  return drawn(lowlight.highlight(language, code).children)
}

function drawn(nodes: readonly TreeNode[]): ReactNode[] {
  return nodes.map((node, place) => {
    if (node.type === 'text') return <Fragment key={place}>{node.value}</Fragment>
    if (node.type !== 'element') return null
    const names = node.properties.className
    return (
      <span key={place} className={Array.isArray(names) ? names.join(' ') : undefined}>
        {drawn(node.children as TreeNode[])}
      </span>
    )
  })
}
