// The flash map below is the one of board.py; the build checks both against the linked firmware.
#define MICROPY_HW_BOARD_NAME                   "Picocab cabinet"

// Storage for rp2.Flash: all behind the firmware, that is program, journal and /data.
#define MICROPY_HW_FLASH_STORAGE_BASE           (0x060000)
#define MICROPY_HW_FLASH_STORAGE_BYTES          (PICO_FLASH_SIZE_BYTES - MICROPY_HW_FLASH_STORAGE_BASE)

// The program's partition is the first part of that storage.
#define MICROPY_HW_ROMFS_BASE                   (MICROPY_HW_FLASH_STORAGE_BASE)
#define MICROPY_HW_ROMFS_BYTES                  (1152 * 1024)

// One core, no lock on every allocation: faster, and nothing else may touch flash while it is being written.
#define MICROPY_PY_THREAD                       (0)
