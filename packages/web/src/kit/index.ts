/** The kit: what screens are made of. */
export { type Acting, useAct, type Work } from './act.ts'
export { ApproveButton } from './approve-button.tsx'
export { Button, type ButtonProps, type ButtonVariant, buttonClasses } from './button.tsx'
export { Catch } from './catch.tsx'
export { chainWords } from './chain.ts'
export { Chip, type Tone } from './chip.tsx'
export { Checkbox, Choice, Toggle } from './choice.tsx'
export { classes } from './classes.ts'
export { CopyButton, CopyCommand, shellWord, useCopyCommand } from './command.tsx'
export { Dialog, type DialogProps } from './dialog.tsx'
export { Diff, type DiffProps } from './diff.tsx'
export { Field, type FieldProps, Select, TextArea, TextField } from './field.tsx'
export { type Form, type Problems, useForm } from './form.ts'
export { FormDialog, type FormDialogProps, submitsByKey } from './form-dialog.tsx'
export { FormError } from './form-error.tsx'
export { type GrowingList, useGrowing } from './growing.tsx'
export { hearsKeys } from './hears-keys.ts'
export { KeyHint } from './key-hint.tsx'
export { ButtonLink, Link, type LinkProps, PlainLink } from './link.tsx'
export { Menu, type MenuItem, type MenuProps } from './menu.tsx'
export { Meter } from './meter.tsx'
export { DisplayFlags, Flags, Mono, type MonoProps, Safe, SafeBlock } from './mono.tsx'
export { useIsNarrow, useMedia } from './narrow.ts'
export { type Notice, NoticeRoom, useNotify } from './notify.tsx'
export { useOpened } from './opened.ts'
export {
  DecisionBar,
  ListDetail,
  type ListDetailProps,
  Page,
  type PageProps,
  useDocumentTitle,
} from './page.tsx'
export { Progress } from './progress.tsx'
export { type ListKeysOptions, Row, useListKeys } from './row.tsx'
export { saveFile } from './save-file.ts'
export { SearchField } from './search-field.tsx'
export { Facts, Section, Sheet } from './sheet.tsx'
export { Stamp } from './stamp.tsx'
export {
  EmptyState,
  type EmptyStateProps,
  ErrorState,
  Loaded,
  type LoadedProps,
  Skeleton,
  StaleNote,
} from './states.tsx'
export { type Submitting, useSubmit } from './submit.ts'
export { type Column, Table, type TableProps } from './table.tsx'
export { type Tab, Tabs, type TabsProps } from './tabs.tsx'
export { TierChip } from './tier-chip.tsx'
export { Money, Price, Time, useNow } from './time.tsx'
export { type ViewLink, ViewLinks } from './view-links.tsx'
export { VirtualList, type VirtualListProps } from './virtual-list.tsx'
export { ZoneField } from './zone-field.tsx'
