import { createIcon } from './createIcon.tsx'

export const DownIcon = /* @__PURE__ */ createIcon('m7 10 5 5 5-5')
export const ForwardIcon = /* @__PURE__ */ createIcon('m9 6 6 6-6 6')
export const BackIcon = /* @__PURE__ */ createIcon('M19 12H5m6-6-6 6 6 6')
export const CloseIcon = /* @__PURE__ */ createIcon('M6 6l12 12M18 6 6 18')
export const PlusIcon = /* @__PURE__ */ createIcon('M12 5v14M5 12h14')
export const CheckIcon = /* @__PURE__ */ createIcon('m5 12.5 4.5 4.5L19 7.5')
export const ClockIcon = /* @__PURE__ */ createIcon('M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3.5 2')
export const WarningIcon = /* @__PURE__ */ createIcon('M12 4 21 19.5H3zM12 10v4.5M12 17v.1')
export const InfoIcon = /* @__PURE__ */ createIcon('M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 11v5M12 8v.1')
export const AlertIcon = /* @__PURE__ */ createIcon(
  'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7.5v5.5M12 16v.1',
)
export const OfflineIcon = /* @__PURE__ */ createIcon(
  'M4 4l16 16M8.5 15.5a5 5 0 0 1 6-.8M5.5 12a9.5 9.5 0 0 1 3.5-2.2M12 9.2c2.5 0 4.8 1 6.5 2.8M12 19v.1',
)
export const EyeIcon = /* @__PURE__ */ createIcon(
  'M2.5 12C5 8 8.3 6 12 6s7 2 9.5 6c-2.5 4-5.8 6-9.5 6s-7-2-9.5-6zM12 14.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z',
)
export const EyeOffIcon = /* @__PURE__ */ createIcon(
  'M2.5 12C5 8 8.3 6 12 6s7 2 9.5 6c-2.5 4-5.8 6-9.5 6s-7-2-9.5-6zM12 14.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM4 4l16 16',
)
export const ContactsIcon = /* @__PURE__ */ createIcon(
  'M7 3.5h11.5v17H7A2 2 0 0 1 5 18.5v-13a2 2 0 0 1 2-2zM3 8h3M3 12h3M3 16h3M12 11a1.75 1.75 0 1 0 0-3.5 1.75 1.75 0 0 0 0 3.5zM8.8 16c.5-1.8 1.7-2.7 3.2-2.7s2.7.9 3.2 2.7',
)
export const PersonIcon = /* @__PURE__ */ createIcon(
  'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20c.8-4 3.6-6 7.5-6s6.7 2 7.5 6',
)
export const LockIcon = /* @__PURE__ */ createIcon('M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3')
export const GlobeIcon = /* @__PURE__ */ createIcon(
  'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM3.5 12h17M12 3c2.5 2.5 3.5 5.5 3.5 9s-1 6.5-3.5 9c-2.5-2.5-3.5-5.5-3.5-9S9.5 5.5 12 3z',
)
export const PhoneIcon = /* @__PURE__ */ createIcon(
  'M8 3h8a1 1 0 0 1 1 1v16a1 1 0 0 1-1 1H8a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1zM11 18h2',
)
export const MailIcon = /* @__PURE__ */ createIcon('M3.5 6h17v12.5h-17zM4 7l8 6 8-6')
export const ShieldIcon = /* @__PURE__ */ createIcon(
  'M12 3.5 5 6v5.5c0 4.5 3 7.5 7 9 4-1.5 7-4.5 7-9V6zM9 12l2.2 2.2L15.5 10',
)
export const BoltIcon = /* @__PURE__ */ createIcon('M13 3 5.5 13.5h5L10 21l8-11h-5.5z')
