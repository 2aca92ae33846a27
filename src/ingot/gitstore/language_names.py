"""Names of languages by file extension, file name and interpreter. Data and prose formats are left out on purpose."""

from __future__ import annotations

_BY_LANGUAGE = {
    "ABAP": "abap", "ActionScript": "as", "Ada": "adb ads ada", "Agda": "agda", "Apex": "cls",
    "AppleScript": "applescript", "Assembly": "asm s nasm", "Astro": "astro", "AutoHotkey": "ahk", "Awk": "awk gawk",
    "Ballerina": "bal", "Batchfile": "bat cmd", "Bicep": "bicep", "BitBake": "bb bbappend", "C": "c",
    "C#": "cs csx cake", "C++": "cpp cc cxx hpp hh hxx ipp tpp inl c++ h++", "CMake": "cmake",
    "COBOL": "cob cbl cobol", "CSS": "css", "Cairo": "cairo", "Ceylon": "ceylon", "Chapel": "chpl",
    "Clojure": "clj cljs cljc", "CodeQL": "ql qll", "CoffeeScript": "coffee", "ColdFusion": "cfm cfc",
    "Common Lisp": "lisp lsp cl asd", "Coq": "coq", "Crystal": "cr", "Cuda": "cu cuh", "Cython": "pyx pxd pxi",
    "D": "d di", "Dart": "dart", "Dhall": "dhall", "Dylan": "dylan", "EJS": "ejs", "Eiffel": "e", "Elixir": "ex exs",
    "Elm": "elm", "Emacs Lisp": "el", "Erlang": "erl hrl escript", "F#": "fs fsi fsx", "Factor": "factor",
    "Fennel": "fnl", "Forth": "fth forth 4th", "Fortran": "f for f77", "Fortran Free Form": "f90 f95 f03 f08",
    "FreeMarker": "ftl", "GAP": "gap", "GDScript": "gd", "GLSL": "glsl vert frag geom", "Gherkin": "feature",
    "Gleam": "gleam", "Go": "go", "Groovy": "groovy gvy", "HCL": "hcl tf tfvars nomad", "HLSL": "hlsl fx",
    "HTML": "html htm xhtml", "Hack": "hack", "Haml": "haml", "Handlebars": "hbs handlebars", "Haskell": "hs hsc",
    "Haxe": "hx", "Idris": "idr", "Io": "io", "J": "ijs", "Janet": "janet", "Java": "java jav",
    "JavaScript": "js mjs cjs jsx es6", "Jinja": "jinja j2 jinja2", "Jsonnet": "jsonnet libsonnet", "Julia": "jl",
    "Jupyter Notebook": "ipynb", "KRL": "krl", "Kotlin": "kt kts ktm", "LLVM": "ll", "Lean": "lean", "Less": "less",
    "Liquid": "liquid", "LiveScript": "ls", "Logos": "xm", "Lua": "lua", "M4": "m4", "MATLAB": "matlab",
    "MLIR": "mlir", "Makefile": "mk mak make", "Mako": "mako", "Mermaid": "mmd mermaid", "Meson": "meson",
    "Metal": "metal", "Modula-2": "mod", "Mojo": "mojo", "MoonScript": "moon", "Move": "move", "Mustache": "mustache",
    "Nim": "nim nimble", "Nix": "nix", "Nunjucks": "njk", "OCaml": "ml mli mll mly", "Objective-C": "m",
    "Objective-C++": "mm", "Odin": "odin", "OpenCL": "opencl", "OpenSCAD": "scad", "Open Policy Agent": "rego",
    "PHP": "php php3 php4 php5 phps phtml", "PLSQL": "pls plb pck pkb pks", "PLpgSQL": "pgsql",
    "Pascal": "pas dpr lpr", "Perl": "pl pm ph perl t", "Pony": "pony", "PostScript": "ps eps",
    "PowerShell": "ps1 psd1 psm1", "Processing": "pde", "Prolog": "pro prolog", "Pug": "pug jade", "Puppet": "pp",
    "PureScript": "purs", "Python": "py pyi pyw py3 wsgi", "QML": "qml", "R": "r rsx", "Racket": "rkt rktd",
    "Raku": "raku rakumod p6 pm6", "ReScript": "res resi", "Reason": "re rei", "Red": "red",
    "RobotFramework": "robot", "Roff": "roff", "Ruby": "rb rake gemspec ru podspec rbw jbuilder", "Rust": "rs",
    "SAS": "sas", "SCSS": "scss", "SQL": "sql ddl dml", "Sass": "sass", "Scala": "scala sbt sc",
    "Scheme": "scm ss sld", "Shell": "sh bash zsh ksh bats", "Slim": "slim", "Smali": "smali", "Smalltalk": "st",
    "Smarty": "tpl", "Solidity": "sol", "SourcePawn": "sp", "Standard ML": "sml sig fun", "Starlark": "bzl star",
    "Stata": "do ado", "Stylus": "styl", "Svelte": "svelte", "Swift": "swift", "SystemVerilog": "sv svh",
    "Tcl": "tcl tm", "TeX": "tex sty", "Terra": "terra", "Thrift": "thrift", "Twig": "twig", "TSQL": "tsql",
    "TypeScript": "ts mts cts tsx", "Typst": "typ", "VBA": "bas", "VBScript": "vbs", "VHDL": "vhd vhdl",
    "Vala": "vala vapi", "Verilog": "v veo", "Vim Script": "vim vmb", "Visual Basic .NET": "vb", "Vue": "vue",
    "Vyper": "vy", "WebAssembly": "wat wast", "WGSL": "wgsl", "Wren": "wren", "XQuery": "xq xquery xqm",
    "XSLT": "xsl xslt", "Xtend": "xtend", "Yacc": "y yy", "Zig": "zig zon", "jq": "jq", "nesC": "nc", "sed": "sed",
    "fish": "fish", "Blade": "blade.php", "HTML+ERB": "erb html.erb", "HTML+EEX": "eex heex leex",
    "Mathematica": "wl nb",
}  # fmt: skip

EXTENSIONS = {extension: name for name, extensions in _BY_LANGUAGE.items() for extension in extensions.split()}
EXTENSIONS["h"] = "C"

FILE_NAMES = {
    "Makefile": "Makefile", "makefile": "Makefile", "GNUmakefile": "Makefile", "Dockerfile": "Dockerfile",
    "Containerfile": "Dockerfile", "CMakeLists.txt": "CMake", "Rakefile": "Ruby", "Gemfile": "Ruby",
    "Podfile": "Ruby", "Vagrantfile": "Ruby", "Guardfile": "Ruby", "Fastfile": "Ruby", "Brewfile": "Ruby",
    "Jenkinsfile": "Groovy", "BUILD": "Starlark", "BUILD.bazel": "Starlark", "WORKSPACE": "Starlark",
    "Tiltfile": "Starlark", "SConstruct": "Python", "SConscript": "Python", "wscript": "Python",
    "meson.build": "Meson", "meson_options.txt": "Meson", "Justfile": "Just", "justfile": "Just",
    "Earthfile": "Earthly", "configure.ac": "M4Sugar", ".bashrc": "Shell", ".bash_profile": "Shell",
    ".zshrc": "Shell", ".profile": "Shell", "PKGBUILD": "Shell", ".vimrc": "Vim Script", "rebar.config": "Erlang",
}  # fmt: skip

INTERPRETERS = {
    "sh": "Shell", "bash": "Shell", "zsh": "Shell", "dash": "Shell", "ksh": "Shell", "fish": "fish",
    "python": "Python", "ruby": "Ruby", "perl": "Perl", "node": "JavaScript", "nodejs": "JavaScript",
    "deno": "TypeScript", "php": "PHP", "lua": "Lua", "awk": "Awk", "gawk": "Awk", "tclsh": "Tcl", "Rscript": "R",
    "escript": "Erlang", "elixir": "Elixir", "groovy": "Groovy", "julia": "Julia", "make": "Makefile", "sed": "sed",
    "raku": "Raku", "racket": "Racket", "osascript": "AppleScript", "pwsh": "PowerShell", "runhaskell": "Haskell",
    "swift": "Swift", "crystal": "Crystal",
}  # fmt: skip
