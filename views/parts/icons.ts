/** The icons in use: Lucide's files, embedded as text. Add a line for each new one. */
import alignCenter from 'lucide-static/icons/align-center.svg' with { type: 'text' }
import alignCenterHorizontal from 'lucide-static/icons/align-center-horizontal.svg' with { type: 'text' }
import alignCenterVertical from 'lucide-static/icons/align-center-vertical.svg' with { type: 'text' }
import alignEndHorizontal from 'lucide-static/icons/align-end-horizontal.svg' with { type: 'text' }
import alignEndVertical from 'lucide-static/icons/align-end-vertical.svg' with { type: 'text' }
import alignHorizontalSpaceBetween from 'lucide-static/icons/align-horizontal-space-between.svg' with { type: 'text' }
import alignLeft from 'lucide-static/icons/align-left.svg' with { type: 'text' }
import alignRight from 'lucide-static/icons/align-right.svg' with { type: 'text' }
import alignStartHorizontal from 'lucide-static/icons/align-start-horizontal.svg' with { type: 'text' }
import alignStartVertical from 'lucide-static/icons/align-start-vertical.svg' with { type: 'text' }
import alignVerticalSpaceBetween from 'lucide-static/icons/align-vertical-space-between.svg' with { type: 'text' }
import arrowDown from 'lucide-static/icons/arrow-down.svg' with { type: 'text' }
import arrowLeft from 'lucide-static/icons/arrow-left.svg' with { type: 'text' }
import arrowRight from 'lucide-static/icons/arrow-right.svg' with { type: 'text' }
import arrowUp from 'lucide-static/icons/arrow-up.svg' with { type: 'text' }
import atSign from 'lucide-static/icons/at-sign.svg' with { type: 'text' }
import ban from 'lucide-static/icons/ban.svg' with { type: 'text' }
import bell from 'lucide-static/icons/bell.svg' with { type: 'text' }
import building2 from 'lucide-static/icons/building-2.svg' with { type: 'text' }
import calendar from 'lucide-static/icons/calendar.svg' with { type: 'text' }
import calendarDays from 'lucide-static/icons/calendar-days.svg' with { type: 'text' }
import check from 'lucide-static/icons/check.svg' with { type: 'text' }
import checkCheck from 'lucide-static/icons/check-check.svg' with { type: 'text' }
import chevronDown from 'lucide-static/icons/chevron-down.svg' with { type: 'text' }
import chevronLeft from 'lucide-static/icons/chevron-left.svg' with { type: 'text' }
import chevronRight from 'lucide-static/icons/chevron-right.svg' with { type: 'text' }
import chevronUp from 'lucide-static/icons/chevron-up.svg' with { type: 'text' }
import chevronsDown from 'lucide-static/icons/chevrons-down.svg' with { type: 'text' }
import circleAlert from 'lucide-static/icons/circle-alert.svg' with { type: 'text' }
import circleCheck from 'lucide-static/icons/circle-check.svg' with { type: 'text' }
import circleDashed from 'lucide-static/icons/circle-dashed.svg' with { type: 'text' }
import circleDot from 'lucide-static/icons/circle-dot.svg' with { type: 'text' }
import clock from 'lucide-static/icons/clock.svg' with { type: 'text' }
import copy from 'lucide-static/icons/copy.svg' with { type: 'text' }
import download from 'lucide-static/icons/download.svg' with { type: 'text' }
import ellipsis from 'lucide-static/icons/ellipsis.svg' with { type: 'text' }
import externalLink from 'lucide-static/icons/external-link.svg' with { type: 'text' }
import eye from 'lucide-static/icons/eye.svg' with { type: 'text' }
import fileCheck from 'lucide-static/icons/file-check.svg' with { type: 'text' }
import filePen from 'lucide-static/icons/file-pen.svg' with { type: 'text' }
import filePlus from 'lucide-static/icons/file-plus.svg' with { type: 'text' }
import fileText from 'lucide-static/icons/file-text.svg' with { type: 'text' }
import fileX from 'lucide-static/icons/file-x.svg' with { type: 'text' }
import files from 'lucide-static/icons/files.svg' with { type: 'text' }
import funnel from 'lucide-static/icons/funnel.svg' with { type: 'text' }
import globe from 'lucide-static/icons/globe.svg' with { type: 'text' }
import gripVertical from 'lucide-static/icons/grip-vertical.svg' with { type: 'text' }
import hash from 'lucide-static/icons/hash.svg' with { type: 'text' }
import history from 'lucide-static/icons/history.svg' with { type: 'text' }
import image from 'lucide-static/icons/image.svg' with { type: 'text' }
import inbox from 'lucide-static/icons/inbox.svg' with { type: 'text' }
import info from 'lucide-static/icons/info.svg' with { type: 'text' }
import keyRound from 'lucide-static/icons/key-round.svg' with { type: 'text' }
import keyboard from 'lucide-static/icons/keyboard.svg' with { type: 'text' }
import languages from 'lucide-static/icons/languages.svg' with { type: 'text' }
import layoutTemplate from 'lucide-static/icons/layout-template.svg' with { type: 'text' }
import link from 'lucide-static/icons/link.svg' with { type: 'text' }
import list from 'lucide-static/icons/list.svg' with { type: 'text' }
import lock from 'lucide-static/icons/lock.svg' with { type: 'text' }
import logOut from 'lucide-static/icons/log-out.svg' with { type: 'text' }
import magnet from 'lucide-static/icons/magnet.svg' with { type: 'text' }
import mail from 'lucide-static/icons/mail.svg' with { type: 'text' }
import mailCheck from 'lucide-static/icons/mail-check.svg' with { type: 'text' }
import mailWarning from 'lucide-static/icons/mail-warning.svg' with { type: 'text' }
import mailX from 'lucide-static/icons/mail-x.svg' with { type: 'text' }
import menu from 'lucide-static/icons/menu.svg' with { type: 'text' }
import messageSquare from 'lucide-static/icons/message-square.svg' with { type: 'text' }
import minus from 'lucide-static/icons/minus.svg' with { type: 'text' }
import move from 'lucide-static/icons/move.svg' with { type: 'text' }
import moveHorizontal from 'lucide-static/icons/move-horizontal.svg' with { type: 'text' }
import moveVertical from 'lucide-static/icons/move-vertical.svg' with { type: 'text' }
import paperclip from 'lucide-static/icons/paperclip.svg' with { type: 'text' }
import penLine from 'lucide-static/icons/pen-line.svg' with { type: 'text' }
import pencil from 'lucide-static/icons/pencil.svg' with { type: 'text' }
import plus from 'lucide-static/icons/plus.svg' with { type: 'text' }
import redo2 from 'lucide-static/icons/redo-2.svg' with { type: 'text' }
import refreshCw from 'lucide-static/icons/refresh-cw.svg' with { type: 'text' }
import rotateCcw from 'lucide-static/icons/rotate-ccw.svg' with { type: 'text' }
import scaling from 'lucide-static/icons/scaling.svg' with { type: 'text' }
import search from 'lucide-static/icons/search.svg' with { type: 'text' }
import send from 'lucide-static/icons/send.svg' with { type: 'text' }
import settings from 'lucide-static/icons/settings.svg' with { type: 'text' }
import shieldCheck from 'lucide-static/icons/shield-check.svg' with { type: 'text' }
import signature from 'lucide-static/icons/signature.svg' with { type: 'text' }
import squareCheck from 'lucide-static/icons/square-check.svg' with { type: 'text' }
import stamp from 'lucide-static/icons/stamp.svg' with { type: 'text' }
import tag from 'lucide-static/icons/tag.svg' with { type: 'text' }
import textInitial from 'lucide-static/icons/text-initial.svg' with { type: 'text' }
import trash2 from 'lucide-static/icons/trash-2.svg' with { type: 'text' }
import triangleAlert from 'lucide-static/icons/triangle-alert.svg' with { type: 'text' }
import typeIcon from 'lucide-static/icons/type.svg' with { type: 'text' }
import undo2 from 'lucide-static/icons/undo-2.svg' with { type: 'text' }
import upload from 'lucide-static/icons/upload.svg' with { type: 'text' }
import user from 'lucide-static/icons/user.svg' with { type: 'text' }
import users from 'lucide-static/icons/users.svg' with { type: 'text' }
import webhook from 'lucide-static/icons/webhook.svg' with { type: 'text' }
import x from 'lucide-static/icons/x.svg' with { type: 'text' }
import zoomIn from 'lucide-static/icons/zoom-in.svg' with { type: 'text' }
import zoomOut from 'lucide-static/icons/zoom-out.svg' with { type: 'text' }

const FILES = {
  'align-center': alignCenter,
  'align-center-horizontal': alignCenterHorizontal,
  'align-center-vertical': alignCenterVertical,
  'align-end-horizontal': alignEndHorizontal,
  'align-end-vertical': alignEndVertical,
  'align-horizontal-space-between': alignHorizontalSpaceBetween,
  'align-left': alignLeft,
  'align-right': alignRight,
  'align-start-horizontal': alignStartHorizontal,
  'align-start-vertical': alignStartVertical,
  'align-vertical-space-between': alignVerticalSpaceBetween,
  'arrow-down': arrowDown,
  'arrow-left': arrowLeft,
  'arrow-right': arrowRight,
  'arrow-up': arrowUp,
  'at-sign': atSign,
  ban,
  bell,
  'building-2': building2,
  calendar,
  'calendar-days': calendarDays,
  check,
  'check-check': checkCheck,
  'chevron-down': chevronDown,
  'chevron-left': chevronLeft,
  'chevron-right': chevronRight,
  'chevron-up': chevronUp,
  'chevrons-down': chevronsDown,
  'circle-alert': circleAlert,
  'circle-check': circleCheck,
  'circle-dashed': circleDashed,
  'circle-dot': circleDot,
  clock,
  copy,
  download,
  ellipsis,
  'external-link': externalLink,
  eye,
  'file-check': fileCheck,
  'file-pen': filePen,
  'file-plus': filePlus,
  'file-text': fileText,
  'file-x': fileX,
  files,
  funnel,
  globe,
  'grip-vertical': gripVertical,
  hash,
  history,
  image,
  inbox,
  info,
  'key-round': keyRound,
  keyboard,
  languages,
  'layout-template': layoutTemplate,
  link,
  list,
  lock,
  'log-out': logOut,
  magnet,
  mail,
  'mail-check': mailCheck,
  'mail-warning': mailWarning,
  'mail-x': mailX,
  menu,
  'message-square': messageSquare,
  minus,
  move,
  'move-horizontal': moveHorizontal,
  'move-vertical': moveVertical,
  paperclip,
  'pen-line': penLine,
  pencil,
  plus,
  'redo-2': redo2,
  'refresh-cw': refreshCw,
  'rotate-ccw': rotateCcw,
  scaling,
  search,
  send,
  settings,
  'shield-check': shieldCheck,
  signature,
  'square-check': squareCheck,
  stamp,
  tag,
  'text-initial': textInitial,
  'trash-2': trash2,
  'triangle-alert': triangleAlert,
  type: typeIcon,
  'undo-2': undo2,
  upload,
  user,
  users,
  webhook,
  x,
  'zoom-in': zoomIn,
  'zoom-out': zoomOut,
}

export type IconName = keyof typeof FILES

export const ICON_NAMES = Object.keys(FILES) as IconName[]

export interface Shape {
  tag: string
  attributes: Record<string, string>
}

/** The shapes inside the icon's 24 by 24 square. */
export function shapesOf(name: IconName): Shape[] {
  const [, inside = ''] = /<svg[^>]*>([\s\S]*)<\/svg>/.exec(FILES[name]) ?? []
  return [...inside.matchAll(/<(\w+) ([^>]*?)\/>/g)].map(([, tag = '', attributes = '']) => ({
    tag,
    attributes: Object.fromEntries([...attributes.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, key, value]) => [key, value])),
  }))
}
