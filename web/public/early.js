// Applies the chosen theme before the first paint.
try {
  const { theme } = JSON.parse(localStorage.getItem("spieltisch.settings") ?? "{}");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // storage is blocked or broken: the default theme
}
