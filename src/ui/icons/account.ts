import { createIcon } from './createIcon.tsx'

export const BellIcon = /* @__PURE__ */ createIcon('M6.5 16.5V11a5.5 5.5 0 0 1 11 0v5.5l1.5 1.5H5zM10 20.5h4')
export const MoonIcon = /* @__PURE__ */ createIcon('M20 14.2A8.3 8.3 0 1 1 9.8 4a6.8 6.8 0 0 0 10.2 10.2z')
export const CallIcon = /* @__PURE__ */ createIcon(
  'M6 4h3.5l1.5 4.5-2 1.5a11 11 0 0 0 5 5l1.5-2 4.5 1.5V18a2 2 0 0 1-2 2A14 14 0 0 1 4 6a2 2 0 0 1 2-2z',
)
export const ChatIcon = /* @__PURE__ */ createIcon('M4 5h16v11.5h-8L7.5 20v-3.5H4zM8 9.5h8M8 12.5h5')
export const DataIcon = /* @__PURE__ */ createIcon('M12 4v9m-3.5-3.5L12 13l3.5-3.5M5 15v4.5h14V15')
export const DeleteIcon = /* @__PURE__ */ createIcon(
  'M5 7h14M9 7V4.5h6V7M7 7l1 12.5h8L17 7M10.5 11v5M13.5 11v5',
)
