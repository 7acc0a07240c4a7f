"""The look: tokens, fonts, icons, the style sheet, and one theme object that switches live."""
