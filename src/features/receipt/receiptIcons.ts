import { createIcon } from '../../ui/icons/createIcon.tsx'

export const DownloadIcon = /* @__PURE__ */ createIcon('M12 4v10m-4-4 4 4 4-4M5 18.5h14')
export const ShareIcon = /* @__PURE__ */ createIcon('M12 15V4m-4 3.5L12 4l4 3.5M6 11.5H5V20h14v-8.5h-1')
export const LinkIcon = /* @__PURE__ */ createIcon(
  'M9.5 14.5l5-5M11 7l1.5-1.5a4 4 0 0 1 6 6L17 13M13 17l-1.5 1.5a4 4 0 0 1-6-6L7 11',
)
export const AddPersonIcon = /* @__PURE__ */ createIcon(
  'M10 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM3 20c.8-4 3.4-6 7-6 1.2 0 2.2.2 3.2.6M18 14v6M15 17h6',
)
export const RepeatIcon = /* @__PURE__ */ createIcon(
  'M5 11V9.5A3.5 3.5 0 0 1 8.5 6H19m-3-3 3 3-3 3M19 13v1.5a3.5 3.5 0 0 1-3.5 3.5H5m3 3-3-3 3-3',
)
