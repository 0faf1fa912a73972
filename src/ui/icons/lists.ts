import { createIcon } from './createIcon.tsx'

export const SearchIcon = /* @__PURE__ */ createIcon('M11 17a6 6 0 1 0 0-12 6 6 0 0 0 0 12zM15.5 15.5 20 20')
export const RefreshIcon = /* @__PURE__ */ createIcon(
  'M19.5 12.5a7.5 7.5 0 1 1-2.2-5.8l2.2 2.3M19.5 4.5V9H15',
)
export const FilterIcon = /* @__PURE__ */ createIcon('M4 7h16M7 12h10M10 17h4')
export const MinusIcon = /* @__PURE__ */ createIcon('M5 12h14')
export const EditIcon = /* @__PURE__ */ createIcon('M5 19l1-4L16.5 4.5l3 3L9 18z')
export const CameraIcon = /* @__PURE__ */ createIcon(
  'M4 8h3.5L9 5.5h6L16.5 8H20v11H4zM12 16.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7z',
)
export const FileIcon = /* @__PURE__ */ createIcon('M7 3.5h7l4 4v13H7zM14 3.5v4h4M10 12.5h5M10 16h5')
