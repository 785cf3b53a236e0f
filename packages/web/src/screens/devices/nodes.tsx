/** The nodes among the devices: other computers that run calls. Without one it is said how one is let in. */
import type { NodeView } from '@countersign/contract'
import { useState } from 'react'
import { useStatus } from '../../environment/queries.ts'
import { Button, EmptyState, Loaded, Sheet, useGrowing } from '../../kit/index.ts'
import { words } from '../../words/devices.tsx'
import { RenameNode, RevokeNode } from './node-dialogs.tsx'
import { useNodes } from './node-queries.ts'
import { type NodeAct, NodeRow } from './node-row.tsx'
import { nodesInOrder } from './node-state.ts'
import type { DeviceAuthority } from './proof.ts'

export interface NodesProps {
  readonly authority: DeviceAuthority
  readonly online: boolean
  /** Whether this browser may change settings. */
  readonly mayLimit: boolean
  readonly onAdd: () => void
}

export function Nodes({ authority, online, mayLimit, onAdd }: NodesProps) {
  const nodes = useNodes()
  const [chosen, setChosen] = useState<{ readonly act: NodeAct; readonly node: NodeView } | null>(null)
  const close = () => setChosen(null)
  return (
    <section aria-labelledby="nodes">
      <h2 id="nodes" className="mb-2">
        {words.nodes.title}
      </h2>
      <Loaded
        query={nodes}
        isEmpty={(list) => nodesInOrder(list.nodes).length === 0}
        empty={
          <EmptyState
            className="py-0!"
            sentence={words.nodes.none}
            action={<Button onClick={onAdd}>{words.nodes.add}</Button>}
          />
        }
      >
        {(list) => (
          <NodeRows
            nodes={nodesInOrder(list.nodes)}
            online={online}
            mayLimit={mayLimit}
            onAct={(act, node) => setChosen({ act, node })}
          />
        )}
      </Loaded>
      {chosen?.act === 'rename' ? <RenameNode node={chosen.node} onClose={close} /> : null}
      {chosen?.act === 'revoke' ? (
        <RevokeNode node={chosen.node} authority={authority} onClose={close} />
      ) : null}
    </section>
  )
}

function NodeRows({
  nodes,
  onAct,
  ...rest
}: {
  nodes: readonly NodeView[]
  online: boolean
  mayLimit: boolean
  onAct: (act: NodeAct, node: NodeView) => void
}) {
  const version = useStatus().data?.version
  const { shown, more } = useGrowing(nodes)
  return (
    <Sheet padded={false}>
      <ul>
        {shown.map((node) => (
          <NodeRow
            key={node.id}
            node={node}
            gatewayVersion={version}
            onAct={(act) => onAct(act, node)}
            {...rest}
          />
        ))}
      </ul>
      {more}
    </Sheet>
  )
}
