/** A skill that an agent wrote and that waits: who wrote it after reading what, its files, the report, the review, the removal. */
import type { ProposedSkill, SkillAuthor } from '@countersign/contract'
import { useMutation } from '@tanstack/react-query'
import { ArrowLeft, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useDirectCalls, useDirectPorts } from '../../deciding/use-direct-call.ts'
import {
  Button,
  Chip,
  CopyCommand,
  Facts,
  FormDialog,
  FormError,
  Link,
  Mono,
  Page,
  Section,
  Sheet,
  StaleNote,
} from '../../kit/index.ts'
import { words } from '../../words/extensions.tsx'
import type { ExtensionPageProps } from './extension-frame.tsx'
import { allowedToolsRow, originRow } from './skill-facts.tsx'
import { ShownReport, SkillFiles, useReport } from './skill-files.tsx'
import { isReviewedHere, proposalReviewArgs, servedReviewArgs } from './skill-text.ts'
import { StrangersWords } from './strangers-words.tsx'

interface ProposalPageProps extends Omit<ExtensionPageProps, 'row'> {
  readonly proposal: ProposedSkill
  /** A former version is let in, which stays until the review. */
  readonly isVersion: boolean
}

export function ProposalPage({ proposal, isVersion, backTo, online, onGone }: ProposalPageProps) {
  const { name, description, tree, writtenBy, servedBy } = proposal
  const [removing, setRemoving] = useState(false)
  return (
    <Page
      title={name}
      note={words.kind.skill}
      width="reading"
      actions={
        <Button icon={Trash2} disabled={!online} onClick={() => setRemoving(true)}>
          {words.remove}
        </Button>
      }
    >
      <Link to={backTo} className="target -mt-2 mb-2 inline-flex items-center gap-1.5 text-small">
        <ArrowLeft size={14} aria-hidden className="rtl:rotate-180" />
        {words.all}
      </Link>
      <StaleNote at={null} className="mb-2" />
      <p className="flex flex-wrap items-center gap-2 text-small text-ink-2">
        <Chip tone="waiting">{words.proposals.state}</Chip>
        {words.proposals[isVersion ? 'meansVersion' : servedBy ? 'meansServed' : 'means']}
      </p>
      <div className="mt-3">
        <StrangersWords name={name} text={description} />
      </div>
      <Section title={words.written.title} level={2}>
        <Sheet>
          <Facts
            rows={[
              ...originRow(proposal),
              ...runRow(writtenBy),
              [words.reach.tree, <Mono key="tree" text={tree} className="break-all" />],
              allowedToolsRow(proposal),
            ]}
          />
        </Sheet>
      </Section>
      <SkillFiles key={tree} skill={{ ...proposal, enabled: true, waits: true }} online={online} />
      <Review key={`review ${tree}`} proposal={proposal} isVersion={isVersion} online={online} />
      {removing ? <RemoveProposal name={name} onClose={() => setRemoving(false)} onGone={onGone} /> : null}
    </Page>
  )
}

function runRow(author: SkillAuthor | undefined): [string, ReactNode][] {
  return author === undefined
    ? []
    : [
        [
          words.written.run,
          <Link key="run" to={`/activity/${author.run}`}>
            {words.use.run}
          </Link>,
        ],
      ]
}

function Review({
  proposal,
  isVersion,
  online,
}: Pick<ProposalPageProps, 'proposal' | 'isVersion' | 'online'>) {
  const { name, writtenBy, servedBy } = proposal
  const origin = { ...(writtenBy ? { writtenBy } : {}), ...(servedBy ? { servedBy } : {}) }
  const skill = { ...proposal, waits: true } as const
  const ports = useDirectPorts()
  const direct = useDirectCalls('extensions')
  const report = useReport(skill)
  const review = useMutation({
    mutationFn: async () =>
      direct.call(
        'review_proposed_skill',
        {
          ...(await (servedBy ? servedReviewArgs : proposalReviewArgs)(ports, skill)),
          ...origin,
          replaces: null,
        },
        words.skill.reviewed(name),
      ),
    retry: false,
  })
  const failure = report.error ?? review.error
  return (
    <Section title={words.skill.report} level={2}>
      <p className="mb-2 max-w-prose text-small text-ink-2">{words.skill.reportAbout}</p>
      <ShownReport name={name} report={report.data} />
      <div className="flex flex-wrap items-center gap-2">
        <Button busy={report.isPending} disabled={!online} onClick={() => report.mutate()}>
          {words.skill.makeReport}
        </Button>
        {isVersion || !isReviewedHere(proposal) ? null : (
          <Button variant="go" busy={review.isPending} disabled={!online} onClick={() => review.mutate()}>
            {words.skill.review}
          </Button>
        )}
      </div>
      {isVersion ? (
        <p className="mt-2 flex flex-wrap items-center gap-2 text-small text-ink-2">
          {words.proposals.versionInTerminal}
          <CopyCommand text={`countersign extension review ${name}`} />
        </p>
      ) : (
        <p className="mt-1 text-small text-ink-3">{words.skill.reviewAbout}</p>
      )}
      {failure === null ? null : <FormError error={failure} />}
    </Section>
  )
}

function RemoveProposal({
  name,
  onClose,
  onGone,
}: {
  readonly name: string
  readonly onClose: () => void
  readonly onGone: () => void
}) {
  const { call } = useDirectCalls('extensions')
  return (
    <FormDialog
      title={words.removing.title(name)}
      description={words.proposals.removing}
      tone="danger"
      submit={words.remove}
      onClose={onClose}
      onSubmit={async () => {
        const outcome = await call('remove_proposed_skill', { name }, words.removing.done(name))
        if (outcome.kind === 'done') onGone()
      }}
    />
  )
}
