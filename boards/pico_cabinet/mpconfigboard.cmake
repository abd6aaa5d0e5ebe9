set(PICO_BOARD "pico")
set(PICO_PLATFORM "rp2040")
set(MICROPY_FROZEN_MANIFEST ${MICROPY_BOARD_DIR}/manifest.py)

# The program check at each boot and every draw of a game are SHA-256: worth a hundred bytes for 10 % less time.
set_source_files_properties(
    ${MICROPY_DIR}/lib/mbedtls/library/sha256.c
    PROPERTIES
    COMPILE_OPTIONS "-O2"
)

# Once a host opens the port TinyUSB queues an event a millisecond until MicroPython has seen sixteen, and loses what
# finds the queue full: a completed transfer then, and with it the port until the next reset. Loading a module takes
# longer than the sixteen places that it has by default.
list(APPEND MICROPY_DEF_BOARD CFG_TUD_TASK_QUEUE_SZ=128)
